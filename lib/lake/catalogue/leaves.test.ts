import { describe, expect, it } from "vitest";
import { memoryObjects as datedObjects } from "../../../test/simulation/ports/objects.ts";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { aFile, aManifest } from "../../../test/support/layouts.ts";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { audit } from "../audit.ts";
import type { FileFacts, Manifest } from "../catalogue.ts";
import { touchingSets } from "../compaction/touching.ts";
import { initialHead } from "../head.ts";
import { leafKey, manifestKey } from "../paths.ts";
import { pin } from "../pin.ts";
import { POLICIES, type Policy } from "../policy.ts";
import { leafKeys, leavesAround, manifestUsage, placeFacts, unnamedLeaves } from "./leaves.ts";
import { getManifest, getManifestRoot, putManifest } from "./manifests.ts";
import { swap } from "./swap.ts";

const PROJECT = 3;
const MARCH = "2026-03";
const DAY_1 = Date.UTC(2026, 2, 1) / 86_400_000;
/** Ten files of a day fill a leaf. */
const FACT_BYTES = JSON.stringify(aFile("events/00-00", 10, DAY_1)).length;
const policy: Policy = { ...POLICIES.deployed, factsInside: 20 * FACT_BYTES, leafBytes: 9.5 * FACT_BYTES };

const partsOver = <O extends ReturnType<typeof memoryObjects>>(objects: O) => {
  let ids = 0;
  return {
    table: memoryTable(),
    objects,
    clock: { now: () => 0 },
    ids: { ulid: () => `id${String(ids++).padStart(3, "0")}`, uuid: () => "", secret: () => new Uint8Array() },
  };
};

/** Ten files on each of so many days. */
const aMonth = (days: number, changes: (day: number) => Partial<FileFacts> = () => ({})): readonly FileFacts[] =>
  Array.from({ length: days * 10 }, (_, at) => {
    const day = Math.floor(at / 10);
    return aFile(`events/${String(day).padStart(2, "0")}-${String(at % 10).padStart(2, "0")}`, 10, DAY_1 + day, DAY_1 + day, changes(day));
  });

/** A manifest of these files as a swap left it in a store; what a new process reads of it is counted. */
const aStored = async (files: readonly FileFacts[], loose: readonly FileFacts[] = []) => {
  const objects = memoryObjects();
  const parts = partsOver(objects);
  const manifest: Manifest = await placeFacts(parts, policy, PROJECT, null, aManifest(files, loose));
  await putManifest(objects, PROJECT, MARCH, manifest);
  const reads = async <T>(read: (objects: ReturnType<typeof memoryObjects>) => Promise<T>): Promise<readonly [T, number]> => {
    const before = objects.counts.requests;
    const found = await read({ ...objects });
    return [found, objects.counts.requests - before];
  };
  return { objects, parts, manifest, reads };
};

describe("the leaves of a manifest", () => {
  it("are none while its facts fit inside", async () => {
    const { manifest, objects } = await aStored(aMonth(2));
    expect(manifest.leaves).toBeUndefined();
    expect([...objects.contents.keys()]).toEqual([manifestKey(PROJECT, MARCH, "m")]);
  });

  it("hold whole days where these fill one, and what fills less than half of one stays inside", async () => {
    const { manifest, reads } = await aStored(
      [...aMonth(4), aFile("events/last", 10, DAY_1 + 9)],
      aMonth(1).map((file) => ({ ...file, key: `loose/${file.key}` })),
    );
    expect(manifest.leaves?.map(({ loose, days, files, rows }) => [loose, days[0] - DAY_1, days[1] - DAY_1, files, rows])).toEqual([
      [false, 0, 0, 10, 100],
      [false, 1, 1, 10, 100],
      [false, 2, 2, 10, 100],
      [false, 3, 3, 10, 100],
      [true, 0, 0, 10, 100],
    ]);
    const [root] = await reads((objects) => getManifest(objects, PROJECT, MARCH, "m", () => false));
    expect([root?.files.map(({ key }) => key), root?.loose]).toEqual([["events/last"], []]);
  });

  it("are read as far as they are wanted, and together say what was written", async () => {
    const { manifest, reads } = await aStored(aMonth(5));
    const [whole, all] = await reads((objects) => getManifest(objects, PROJECT, MARCH, "m"));
    expect([whole, all]).toEqual([manifest, 6]);
    const [day, some] = await reads((objects) => getManifest(objects, PROJECT, MARCH, "m", ({ days }) => days[0] === DAY_1 + 3));
    expect([day?.files, some]).toEqual([manifest.files.slice(30, 40), 2]);
    const [root, one] = await reads((objects) => getManifestRoot(objects, PROJECT, MARCH, "m"));
    expect([root?.id, root?.sealed, one]).toEqual(["m", false, 1]);
  });

  it("make a reader of a day read no other day's", async () => {
    const { parts, manifest, reads } = await aStored(aMonth(5));
    await parts.table.transact([{ kind: "put", item: initialHead(PROJECT, 0) }]);
    await swap(parts, policy, PROJECT, MARCH, null, manifest, null, { retired: [] });
    const from = BigInt(DAY_1 + 2) * 86_400_000_000n;
    const [pinned, requests] = await reads((objects) =>
      pin({ ...parts, objects }, PROJECT, { from, to: from + 1n }, { events: true, state: false }),
    );
    expect(pinned.manifests.get(MARCH)?.files).toEqual(manifest.files.slice(20, 30));
    expect(requests).toBe(2);
  });

  it("are missing, and the manifest with them, where the store no longer has one that is wanted", async () => {
    const { objects, manifest, reads } = await aStored(aMonth(5));
    await objects.remove([leafKey(PROJECT, MARCH, manifest.leaves?.[0]?.id ?? "")]);
    expect((await reads((store) => getManifest(store, PROJECT, MARCH, "m")))[0]).toBeUndefined();
    expect((await reads((store) => getManifest(store, PROJECT, MARCH, "m", ({ days }) => days[0] > DAY_1)))[0]?.files).toHaveLength(40);
  });

  it("are written anew where a file of theirs is gone, and named again elsewhere, also where they were not read", async () => {
    const { objects, parts } = await aStored(aMonth(5));
    const read = await getManifest(objects, PROJECT, MARCH, "m", ({ days }) => days[0] <= DAY_1 + 1);
    if (read === undefined) throw new Error("no manifest");
    const before = objects.contents.size;
    const merged = aFile("events/merged", 100, DAY_1);
    const next = await placeFacts(parts, policy, PROJECT, read, { ...aManifest([...read.files.slice(1), merged], []), id: "m2" });
    expect(objects.contents.size).toBe(before);
    expect(next.leaves).toEqual(read.leaves?.slice(1));
    expect(unnamedLeaves(PROJECT, read, next)).toEqual(leafKeys(PROJECT, read).slice(0, 1));
    await putManifest(objects, PROJECT, MARCH, next);
    const stored = await getManifest({ ...objects }, PROJECT, MARCH, "m2");
    const keys = (files: readonly FileFacts[] = []) => files.map(({ key }) => key).toSorted();
    expect(keys(stored?.files)).toEqual(keys([...aMonth(5).slice(1), merged]));
  });

  it("are cut between days, also behind a day that fills several", async () => {
    const days = [0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4];
    const { manifest } = await aStored(days.map((day, at) => aFile(`events/00-${at}`, 10, DAY_1 + day)));
    expect(manifest.leaves?.map(({ days: [first, last], files }) => [first - DAY_1, last - DAY_1, files])).toEqual([
      [0, 1, 5],
      [2, 2, 10],
      [2, 2, 3],
      [3, 3, 8],
      [4, 4, 5],
    ]);
  });

  it("keep files of many days apart from those of one", async () => {
    const wide = aMonth(1).map((file) => ({ ...file, key: `wide/${file.key}`, days: [DAY_1, DAY_1 + 20] as const }));
    const { manifest } = await aStored([...aMonth(2), ...wide]);
    expect(manifest.leaves?.map(({ days }) => days[1] - days[0])).toEqual([0, 0, 20]);
  });

  it("say what their files count, unless that is counted by keys", async () => {
    const { manifest, reads } = await aStored(
      aMonth(5, (day) => ({ usage: { [DAY_1 + day]: day === 2 ? { "~key": 1 } : { events: 2 } } })),
    );
    const [root] = await reads((objects) => getManifest(objects, PROJECT, MARCH, "m", ({ usage }) => usage === undefined));
    expect(root?.files.length).toBeLessThan(20);
    expect(root && manifestUsage(root)).toEqual(manifestUsage(manifest));
    expect(manifestUsage(manifest)[DAY_1 + 1]).toEqual({ events: 20 });
  });

  it("that work on some days needs are those that share days, step by step, and all that are loose", () => {
    const leaf = (first: number, last: number, loose = false) => ({
      ...{ id: `${first}-${last}`, loose, days: [first, last] as const, files: 1, rows: 1, plainBytes: 1, footers: [] },
    });
    const leaves = [leaf(1, 1), leaf(2, 4), leaf(4, 6), leaf(7, 7), leaf(9, 9), leaf(20, 21, true), leaf(21, 21)];
    expect([...leavesAround({ loose: [], leaves }, [[3, 3]])].toSorted()).toEqual(["2-4", "20-21", "21-21", "4-6"]);
    expect([...leavesAround({ loose: [aFile("loose", 1, 9)], leaves }, [])].toSorted()).toEqual(["20-21", "21-21", "9-9"]);
    expect(leavesAround({ loose: [] }, [[1, 9]]).size).toBe(0);
  });

  it("stand between sets of files where they were not read", () => {
    const unread = { id: "l", loose: false, days: [DAY_1 + 1, DAY_1 + 1] as const, files: 1, rows: 1, plainBytes: 1, footers: [] };
    const sets = touchingSets({ files: [aFile("a", 1, DAY_1), aFile("b", 1, DAY_1 + 2)], loose: [], leaves: [unread] });
    expect(sets.map(({ files }) => files.map(({ key }) => key))).toEqual([["a"], [], ["b"]]);
  });

  it("are kept by the audit while a manifest names them, and only then", async () => {
    let now = Date.UTC(2026, 2, 1);
    const objects = datedObjects({ now: () => now });
    const parts = { ...partsOver(memoryObjects()), objects, clock: { now: () => now } };
    await parts.table.transact([{ kind: "put", item: initialHead(PROJECT, now) }]);
    const [named, stray] = [
      await placeFacts(parts, policy, PROJECT, null, aManifest(aMonth(3), [])),
      await placeFacts(parts, policy, PROJECT, null, aManifest(aMonth(3), [])),
    ];
    await swap(parts, policy, PROJECT, MARCH, null, named, null, { retired: [] });
    now += 3 * policy.orphanAgeMs;
    await audit(parts, policy, PROJECT);
    expect(leafKeys(PROJECT, named).filter((key) => !objects.everything().has(key))).toEqual([]);
    expect(leafKeys(PROJECT, stray).filter((key) => objects.everything().has(key))).toEqual([]);
    expect(leafKeys(PROJECT, stray)).toHaveLength(3);
  });
});
