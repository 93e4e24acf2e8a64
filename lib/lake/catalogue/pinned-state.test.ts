import { describe, expect, it } from "vitest";
import { aCommit, aFile, aManifest, aState, objectsWithout, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { type Commit, STATE_ENTRY } from "../catalogue.ts";
import { tombstone } from "../head.ts";
import { gatheredCommits, pin, readCatalogueSnapshot } from "../pin.ts";
import { POLICIES } from "../policy.ts";
import type { ReadParts } from "./parts.ts";
import { swap } from "./swap.ts";

const NOW = 1_800_000_000_000;
const ALL = { events: true, state: true };
const OCTOBER = "2024-10";
const NOVEMBER = "2024-11";
const november = { from: BigInt(Date.UTC(2024, 10, 1)) * 1_000n, to: null };

const rowsIn = (id: string, ...partitions: readonly string[]): Commit =>
  aCommit(id, NOW, {
    segments: partitions.map((partition) => ({ ...aFile(`${partition}/${id}`), partition })),
    deltas: { inline: "packed" },
  });

const aLake = async () => {
  const lake = await smallLake(NOW);
  const { parts } = lake;
  let last: string | null = null;
  return {
    ...lake,
    /** Gathers commits of October. */
    async gather(id: string, ...absorbed: readonly string[]): Promise<void> {
      const manifest = aManifest(id, { partition: OCTOBER, absorbed, absorbedAt: absorbed.map(() => NOW) });
      expect(await swap(parts, POLICIES.deployed, PROJECT, OCTOBER, last, manifest, null, { retired: [] })).toBe("done");
      last = id;
    },
    async fold(...absorbed: readonly string[]): Promise<void> {
      const state = aState("s1", { absorbed, absorbedAt: absorbed.map(() => NOW) });
      expect(await swap(parts, POLICIES.deployed, PROJECT, STATE_ENTRY, null, state, null, { retired: [] })).toBe("done");
    },
    pin: (range: Parameters<typeof pin>[2] = null, wants = ALL) => pin(parts, PROJECT, range, wants),
  };
};

const waitingIn = (waiting: readonly Commit[]): readonly string[] => waiting.flatMap(({ segments }) => segments.map(({ key }) => key));

describe("what a reader sees of the catalogue", () => {
  it("is the manifests, and of the commits the segments and deltas that no manifest contains", async () => {
    const lake = await aLake();
    for (const id of ["a", "b", "c"]) await lake.commit(rowsIn(id, OCTOBER, NOVEMBER));
    await lake.gather("m1", "a", "b");
    await lake.fold("a");
    const pinned = await lake.pin();
    expect([...pinned.manifests.keys()]).toEqual([OCTOBER]);
    expect(waitingIn(pinned.waiting)).toEqual(["2024-11/a", "2024-11/b", "2024-10/c", "2024-11/c"]);
    expect(pinned.state?.id).toBe("s1");
    expect(pinned.waitingDeltas.map(({ id }) => id)).toEqual(["b", "c"]);
    expect(pinned.waiting[0]).toMatchObject({ id: "a", at: NOW, lane: "live" });
  });

  it("has no commit whose rows are all gathered, and the manifests of all months", async () => {
    const lake = await aLake();
    for (const id of ["a", "b"]) await lake.commit(rowsIn(id, OCTOBER));
    await lake.gather("m1", "a");
    const other = aManifest("n1", { partition: NOVEMBER });
    await swap(lake.parts, POLICIES.deployed, PROJECT, NOVEMBER, null, other, null, { retired: [] });
    const pinned = await lake.pin();
    expect(pinned.waiting.map(({ id }) => id)).toEqual(["b"]);
    expect([...pinned.manifests.keys()]).toEqual([OCTOBER, NOVEMBER]);
    const commits = [rowsIn("a", OCTOBER), rowsIn("a", OCTOBER, NOVEMBER), rowsIn("b", OCTOBER)];
    expect(gatheredCommits(commits, pinned.manifests)).toEqual([commits[0]]);
  });

  it("is only what it asks for, of the months of its range", async () => {
    const lake = await aLake();
    await lake.commit(rowsIn("a", OCTOBER, NOVEMBER));
    await lake.gather("m1");
    await lake.fold();
    const events = await lake.pin(november, { events: true, state: false });
    expect([events.manifests.size, waitingIn(events.waiting), events.state, events.waitingDeltas]).toEqual([0, ["2024-11/a"], null, []]);
    const state = await lake.pin(null, { events: false, state: true });
    expect([state.manifests.size, state.waiting, state.state?.id, state.waitingDeltas.length]).toEqual([0, [], "s1", 1]);
  });

  it("is nothing of a project that there never was", async () => {
    const { parts } = await aLake();
    expect(await pin(parts, PROJECT + 1, null, ALL)).toMatchObject({ manifests: new Map(), waiting: [], state: null, waitingDeltas: [] });
  });

  it("is nothing of a project that was removed", async () => {
    const lake = await aLake();
    await lake.commit(rowsIn("a", OCTOBER));
    await lake.gather("m1");
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW)]);
    expect(await lake.pin()).toMatchObject({ manifests: new Map(), waiting: [], state: null, waitingDeltas: [] });
  });

  it("has another name with each change of what is read of it", async () => {
    const lake = await aLake();
    const [events, state] = [
      { events: true, state: false },
      { events: false, state: true },
    ];
    const named = async (wants: typeof events, change: () => Promise<unknown>): Promise<boolean> => {
      const before = (await lake.pin(null, wants)).digest;
      await change();
      return (await lake.pin(null, wants)).digest !== before;
    };
    expect(await named(events, () => lake.commit(rowsIn("a", OCTOBER)))).toBe(true);
    expect(await named(state, () => lake.commit(rowsIn("b", OCTOBER)))).toBe(true);
    expect(await named(events, () => lake.gather("m1"))).toBe(true);
    expect(await named(state, () => lake.fold())).toBe(true);
    expect(await named(state, () => lake.gather("m2"))).toBe(false);
  });

  it("has a name that changes with it, and with nothing else", async () => {
    const lake = await aLake();
    const digests: string[] = [];
    const look = async (): Promise<void> => void digests.push((await lake.pin()).digest);
    await look();
    await lake.commit(rowsIn("a", OCTOBER, NOVEMBER));
    await look();
    await lake.gather("m1", "a");
    await look();
    await lake.fold("a");
    await look();
    expect(new Set(digests).size).toBe(4);
    await look();
    expect(digests[4]).toBe(digests[3]);
    const outside = (await lake.pin(november, { events: true, state: false })).digest;
    await lake.gather("m2", "a");
    expect((await lake.pin(november, { events: true, state: false })).digest).toBe(outside);
    await look();
    expect(digests[5]).not.toBe(digests[4]);
  });
});

describe("a reader that looked ahead", () => {
  it("takes what it saw then, and asks the table no more", async () => {
    const lake = await aLake();
    await lake.commit(rowsIn("a", OCTOBER));
    await lake.gather("m1");
    const ahead = readCatalogueSnapshot(lake.parts, PROJECT);
    await ahead;
    await lake.commit(rowsIn("b", OCTOBER));
    const closed = () => Promise.reject(new Error("the table is not asked"));
    const parts = { ...lake.parts, table: { ...lake.parts.table, get: closed, query: closed } };
    expect((await pin(parts, PROJECT, null, ALL, ahead)).waiting.map(({ id }) => id)).toEqual(["a"]);
  });

  it("looks anew where that is too old by now", async () => {
    const lake = await aLake();
    const ahead = readCatalogueSnapshot(lake.parts, PROJECT);
    await ahead;
    await lake.commit(rowsIn("a", OCTOBER));
    lake.pass(60_001);
    expect((await pin(lake.parts, PROJECT, null, ALL, ahead)).waiting).toHaveLength(1);
  });
});

describe("a reader whose head is too old", () => {
  /** A store from which the manifests of some entry are gone at first. */
  const without = (parts: ReadParts, entry: string, times: number): ReadParts => ({
    ...parts,
    objects: objectsWithout(parts.objects, `/manifests/${entry}/`, times),
  });

  it.each([OCTOBER, STATE_ENTRY])("begins anew when what it named of %s is gone, and gives up after five times", async (entry) => {
    const lake = await aLake();
    await lake.gather("m1");
    await lake.fold();
    const pinned = await pin(without(lake.parts, entry, 4), PROJECT, null, ALL);
    expect([[...pinned.manifests.keys()], pinned.state?.id]).toEqual([[OCTOBER], "s1"]);
    await expect(pin(without(lake.parts, entry, 5), PROJECT, null, ALL)).rejects.toThrow("could not be read");
  });

  it("begins anew when it took more than a minute: a commit may have been deleted meanwhile", async () => {
    const lake = await aLake();
    const slow = (times: number, ms: number): ReadParts => {
      let left = times;
      const query: typeof lake.parts.table.query = async (asked) => {
        const page = await lake.parts.table.query(asked);
        if (left-- > 0) {
          await lake.commit(rowsIn(`late-${left}`, OCTOBER));
          lake.pass(ms);
        }
        return page;
      };
      return { ...lake.parts, table: { ...lake.parts.table, query } };
    };
    expect((await pin(slow(1, 60_001), PROJECT, null, ALL)).waiting).toHaveLength(1);
    expect((await pin(slow(1, 60_000), PROJECT, null, ALL)).waiting).toHaveLength(1);
    await expect(pin(slow(5, 60_001), PROJECT, null, ALL)).rejects.toThrow("could not be read");
  });
});
