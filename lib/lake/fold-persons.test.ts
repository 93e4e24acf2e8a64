import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { aCommit, aFile, aManifest, objectsWithout, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import { DAY_MS } from "../core/time.ts";
import { type EarnedProperty, earnedColumn } from "../event/earned-properties.ts";
import type { Objects } from "../ports/objects.ts";
import { readRetired } from "./catalogue/retired.ts";
import { swap } from "./catalogue/swap.ts";
import type { Commit } from "./catalogue.ts";
import { openEarned } from "./earned-properties.ts";
import { fold } from "./fold-persons.ts";
import { readParquet } from "./parquet.ts";
import { HEAD_SK, lakePk } from "./paths.ts";
import { gatherDeltas, type PersonOp } from "./persons/deltas.ts";
import { currentRows } from "./persons/state-merge.ts";
import { storedDeltas } from "./persons/stored-deltas.ts";
import { pin } from "./pin.ts";
import { type FoldSizes, POLICIES } from "./policy.ts";

const NOW = 1_800_000_000_000;
const SIZES: FoldSizes = { entries: 100_000, bytes: 16_000_000, layers: 2, fileRows: 50_000 };

const aLake = async () => {
  const { parts, commit } = await smallLake(NOW);
  let commits = 0;
  return {
    parts,
    /** Commits what events say of persons. */
    async say(...ops: readonly PersonOp[]): Promise<void> {
      const deltas = gatherDeltas();
      for (const op of ops) deltas.person(op);
      const stored = await storedDeltas(PROJECT, deltas.take(), () => `deltas-${commits}`);
      if (stored?.object) await parts.objects.put(stored.object.key, stored.object.bytes);
      await commit(aCommit(`c${commits++}`, NOW, { deltas: stored?.ref ?? null }));
    },
    /** Commits an event of each of these people. */
    see(...people: readonly string[]): Promise<void> {
      return this.seeIn({}, ...people);
    },
    async seeIn(changes: Partial<Commit>, ...people: readonly string[]): Promise<void> {
      const deltas = gatherDeltas();
      for (const [index, id] of people.entries()) deltas.seen(id, { time: BigInt(NOW) * 1_000n, index, uuid: "u" });
      const stored = await storedDeltas(PROJECT, deltas.take(), () => `deltas-${commits}`);
      if (stored?.object) await parts.objects.put(stored.object.key, stored.object.bytes);
      await commit(aCommit(`c${commits++}`, NOW, { deltas: stored?.ref ?? null, ...changes }));
    },
    fold: (sizes: Partial<FoldSizes> = {}) => fold(parts, POLICIES.deployed, PROJECT, { ...SIZES, ...sizes }),
    /** Folds where objects with this part in their key are not found so many times. */
    foldWithout: (part: string, times: number) =>
      fold({ ...parts, objects: objectsWithout(parts.objects, part, times) }, POLICIES.deployed, PROJECT, SIZES),
    /** What a query named at some time. */
    async earn(now: number, properties: readonly EarnedProperty[]): Promise<void> {
      const earned = await openEarned(parts.table, PROJECT, now);
      const hasEarned = earned.hasEarned();
      for (const property of properties) hasEarned(property);
      await earned.note("ad-hoc");
    },
    state: async () => (await pin(parts, PROJECT, null, { events: false, state: true })).state,
    async persons() {
      return (await this.state())?.persons ?? [];
    },
  };
};

const people = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `p${String(from + at).padStart(4, "0")}`);

const rowsOf = (files: readonly { readonly rows: number; readonly layer?: number }[]) => files.map(({ rows, layer }) => [layer, rows]);

describe("a fold of some persons into many", () => {
  it("writes them as a layer over the others and leaves what is there alone", async () => {
    const lake = await aLake();
    await lake.see(...people(0, 100));
    await lake.fold();
    const base = await lake.persons();
    expect(rowsOf(base)).toEqual([[0, 100]]);
    await lake.see("p0005", "p0200");
    await lake.fold();
    const once = await lake.persons();
    expect(rowsOf(once)).toEqual([
      [0, 100],
      [1, 2],
    ]);
    await lake.see("p0300");
    await lake.fold();
    const twice = await lake.persons();
    expect(rowsOf(twice)).toEqual([
      [0, 100],
      [1, 2],
      [2, 1],
    ]);
    expect(twice.slice(0, 2)).toEqual(once);
    expect(once.slice(0, 1)).toEqual(base);
  });

  it("makes one layer of them when there are as many as there may be", async () => {
    const lake = await aLake();
    await lake.see(...people(0, 100));
    await lake.fold();
    const base = await lake.persons();
    for (const id of ["p0001", "p0002", "p0001"]) {
      await lake.see(id);
      await lake.fold();
    }
    const files = await lake.persons();
    expect(rowsOf(files)).toEqual([
      [0, 100],
      [1, 2],
    ]);
    expect(files.slice(0, 1)).toEqual(base);
  });

  it("writes all of them anew once the layers come to a quarter", async () => {
    const lake = await aLake();
    await lake.see(...people(0, 100));
    await lake.fold();
    await lake.see(...people(100, 24));
    await lake.fold();
    expect(rowsOf(await lake.persons())).toEqual([
      [0, 100],
      [1, 24],
    ]);
    await lake.see("p0200");
    await lake.fold();
    expect(rowsOf(await lake.persons())).toEqual([[0, 125]]);
  });

  it("writes files of a bounded number of rows", async () => {
    const lake = await aLake();
    await lake.see(...people(0, 5));
    await lake.fold({ fileRows: 2 });
    expect(rowsOf(await lake.persons())).toEqual([
      [0, 2],
      [0, 2],
      [0, 1],
    ]);
  });
});

describe("a fold of persons whose properties have earned columns", () => {
  const named = (...properties: readonly string[]) => properties.map((property) => ({ owner: "person", property, type: "text" }) as const);
  const column = (property: string): string => earnedColumn({ property, type: "text" }).column;
  let times = BigInt(NOW) * 1_000n;
  const is = (id: string, set: PersonOp["set"]): PersonOp => ({
    at: { time: times++, index: 0, uuid: "u" },
    id,
    merge: null,
    set,
    setOnce: null,
    unset: null,
  });

  it("writes them for those that it writes, and all anew once a column has been there for a day", async () => {
    const lake = await aLake();
    await lake.say(...people(0, 100).map((id, index) => is(id, { plan: `plan ${index % 3}`, seats: index })));
    await lake.fold();
    expect((await lake.persons()).map(({ earned }) => earned)).toEqual([undefined]);
    await lake.earn(NOW, named("plan", "seats"));
    await lake.say(is("p0005", { plan: "", seats: 7 }));
    await lake.fold();
    expect((await lake.persons()).map(({ rows, earned }) => [rows, earned])).toEqual([
      [100, undefined],
      [1, [column("plan"), column("seats")]],
    ]);
    await lake.earn(NOW - DAY_MS, named("city"));
    await lake.say(is("p0006", { city: "Bonn" }));
    await lake.fold();
    const [file, ...others] = await lake.persons();
    expect([file?.rows, file?.earned, others]).toEqual([100, ["plan", "seats", "city"].map(column), []]);
    const rows = file === undefined ? [] : await readParquet((await lake.parts.objects.get(file.key)) ?? new Uint8Array());
    const of = (id: string) =>
      rows.filter(({ distinct_id }) => distinct_id === id).map((row) => ["plan", "seats", "city"].map((name) => row[column(name)]));
    expect([of("p0004"), of("p0005"), of("p0006")]).toEqual([[["plan 1", "4", null]], [[null, "7", null]], [["plan 0", "6", "Bonn"]]]);
    await lake.say(is("p0007", { city: "Ulm" }));
    await lake.fold();
    expect(rowsOf(await lake.persons())).toEqual([
      [0, 100],
      [1, 1],
    ]);
  });
});

describe("a fold whose head is too old", () => {
  it("reads the head again, because the state that it named is deleted by now, and gives up when that happens again and again", async () => {
    const lake = await aLake();
    await lake.see(...people(0, 100));
    await lake.fold();
    await lake.see("p0200");
    await expect(lake.foldWithout("/manifests/", 3)).rejects.toThrow("is missing");
    expect(await lake.foldWithout("/manifests/", 2)).toMatchObject({ commits: 1, outcome: "done" });
  });
});

describe("a fold of commits whose rows are to be gathered first", () => {
  const segment = { ...aFile("segment"), partition: "2024-10" };
  const gathered = (lake: Awaited<ReturnType<typeof aLake>>) =>
    swap(lake.parts, POLICIES.deployed, PROJECT, "2024-10", null, aManifest("october", { absorbed: ["c0"], absorbedAt: [NOW] }), null, {
      retired: [],
    });

  it("waits until they are", async () => {
    const lake = await aLake();
    await lake.seeIn({ segments: [segment] }, "ann");
    expect(await lake.fold()).toEqual({ commits: 0, left: 0, dropped: 0, outcome: "done" });
    expect(await lake.state()).toBeNull();
    await gathered(lake);
    expect(await lake.fold()).toEqual({ commits: 1, left: 0, dropped: 0, outcome: "done" });
  });

  it("reads the head again where it names a manifest that is deleted by now", async () => {
    const lake = await aLake();
    await lake.seeIn({ segments: [segment] }, "ann");
    await gathered(lake);
    const asked = vi.spyOn(lake.parts.objects, "get");
    // The first answer is that it is gone, which is not asked of the store.
    expect(await lake.foldWithout("/manifests/2024-10/", 1)).toMatchObject({ commits: 1, outcome: "done" });
    expect(asked.mock.calls.filter(([key]) => key.includes("/manifests/2024-10/"))).toHaveLength(1);
  });
});

describe("a fold of a removed project", () => {
  it("leaves it alone", async () => {
    const lake = await aLake();
    await lake.see("ann");
    await lake.parts.table.update({ pk: lakePk(PROJECT), sk: HEAD_SK }, { set: { removed_at: NOW } });
    expect(await lake.fold()).toEqual({ commits: 0, left: 0, dropped: 0, outcome: "removed" });
  });
});

describe("a fold of more than one takes", () => {
  it("takes the oldest commits until it has enough entries, and says how many are left", async () => {
    const lake = await aLake();
    for (let at = 0; at < 4; at += 1) await lake.see(...people(2 * at, 2));
    expect(await lake.fold({ entries: 3 })).toMatchObject({ commits: 2, left: 2, outcome: "done" });
    expect(rowsOf(await lake.persons())).toEqual([[0, 4]]);
    expect(await lake.fold({ entries: 4 })).toMatchObject({ commits: 2, left: 0 });
    expect(await lake.fold()).toEqual({ commits: 0, left: 0, dropped: 0, outcome: "done" });
  });

  it("reads many of them side by side, in whatever order the answers come", async () => {
    const lake = await aLake();
    for (let at = 0; at < 40; at += 1) await lake.see(...people(200 * at, 200));
    let [reading, most] = [0, 0];
    const slow: Objects = {
      ...lake.parts.objects,
      async get(key) {
        reading += 1;
        most = Math.max(most, reading);
        await pause(reading % 3);
        reading -= 1;
        return lake.parts.objects.get(key);
      },
    };
    const parts = { ...lake.parts, objects: slow };
    expect(await fold(parts, POLICIES.deployed, PROJECT, { ...SIZES, entries: 5_000 })).toMatchObject({ commits: 25, left: 15 });
    expect(most).toBe(16);
    expect((await lake.persons()).reduce((sum, { rows }) => sum + rows, 0)).toBe(5_000);
    expect(await fold(parts, POLICIES.deployed, PROJECT, SIZES)).toMatchObject({ commits: 15, left: 0 });
    expect((await lake.persons()).reduce((sum, { rows }) => sum + rows, 0)).toBe(8_000);
  });

  it("takes one commit at least, and no second where both together are too many bytes", async () => {
    const lake = await aLake();
    for (let at = 0; at < 3; at += 1) await lake.see(...people(2 * at, 2));
    expect(await lake.fold({ bytes: 1 })).toMatchObject({ commits: 1, left: 2 });
  });
});

describe("a chain of merges that is longer than is looked up link by link", () => {
  const at = (time: number) => ({ time: BigInt(time), index: 0, uuid: "u" });
  const nothing = { merge: null, set: null, setOnce: null, unset: null };

  it("is one person with what was said of its first link, when something is said of its last", async () => {
    const lake = await aLake();
    const merges = Array.from({ length: 20 }, (_, link): PersonOp => {
      const merge = { kind: "merge_dangerously" as const, source: `id-${link}` };
      return { ...nothing, id: `id-${link + 1}`, at: at(link + 2), merge };
    });
    await lake.say({ ...nothing, id: "id-0", at: at(1), setOnce: { source: "web" } }, ...merges);
    await lake.fold();
    await lake.say({ ...nothing, id: "id-20", at: at(90), set: { plan: "pro" } });
    await lake.fold();
    const properties: unknown[] = [];
    for await (const [, row] of currentRows(lake.parts.objects, "persons", await lake.persons())) properties.push(row?.properties);
    expect(properties).toEqual([JSON.stringify({ plan: "pro", source: "web" })]);
  });
});

describe("a fold", () => {
  it("counts what was too much for a person, and adds to what folds before it counted", async () => {
    const lake = await aLake();
    const dropped = async () => (await lake.state())?.dropped;
    const set = (from: number, count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${from + at}`, at]));
    const op = (index: number, given: PersonOp["set"]): PersonOp => ({
      at: { time: BigInt(NOW) * 1_000n, index, uuid: "u" },
      id: "ann",
      ...{ merge: null, set: given, setOnce: null, unset: null },
    });
    await lake.say(op(0, set(0, 1_001)));
    await lake.fold();
    expect(await dropped()).toBe(1);
    await lake.say(op(1, set(2_000, 5)));
    await lake.fold();
    expect(await dropped()).toBe(6);
  });

  it("adds what was left out of the deltas, and says nothing of it where nothing was", async () => {
    const lake = await aLake();
    await lake.see("ann");
    await lake.fold();
    expect(await lake.state()).not.toHaveProperty("dropped");
    await lake.seeIn({ over: 2 }, "ben");
    await lake.seeIn({ over: 3 }, "cem");
    expect(await lake.fold()).toMatchObject({ commits: 2, dropped: 5 });
    expect((await lake.state())?.dropped).toBe(5);
  });

  it("makes no state where nothing waits", async () => {
    const lake = await aLake();
    await lake.see("ann");
    await lake.fold();
    const before = await lake.state();
    await lake.fold();
    expect((await lake.state())?.id).toBe(before?.id);
  });

  it("retires the objects of the deltas that it took", async () => {
    const lake = await aLake();
    await lake.see(...people(0, 200));
    await lake.see("ann");
    await lake.fold();
    expect(await readRetired(lake.parts.table, PROJECT)).toEqual(["deltas-0"]);
  });

  it("retires the files that it replaces, and nothing that is still named", async () => {
    const lake = await aLake();
    await lake.see(...people(0, 10));
    await lake.fold();
    const first = await lake.persons();
    await lake.see(...people(5, 10));
    await lake.fold();
    const retired = new Set(await readRetired(lake.parts.table, PROJECT));
    expect(first.map(({ key }) => retired.has(key))).toEqual(first.map(() => true));
    for (const { key } of await lake.persons()) expect(retired.has(key)).toBe(false);
  });

  it("retires nothing where it writes a layer over what stays", async () => {
    const lake = await aLake();
    await lake.see(...people(0, 100));
    await lake.fold();
    await lake.see("p0005");
    await lake.fold();
    expect(rowsOf(await lake.persons())).toEqual([
      [0, 100],
      [1, 1],
    ]);
    // The deltas that it took and the manifest that it replaced; no file of persons or ids.
    expect((await readRetired(lake.parts.table, PROJECT)).filter((key) => key.endsWith(".parquet"))).toEqual([]);
  });
});
