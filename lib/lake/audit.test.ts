import { describe, expect, it } from "vitest";
import { aCommit, aFile, aManifest, aState, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import { audit, deleteRemoved } from "./audit.ts";
import { swap } from "./catalogue/swap.ts";
import { STATE_ENTRY } from "./catalogue.ts";
import { headKey, tombstone } from "./head.ts";
import { correctionKey, deltaKey, eventFileKey, footersKey, laterKeys, manifestKey, resultKey, segmentKey, snapshotKey } from "./paths.ts";
import { POLICIES } from "./policy.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const POLICY = POLICIES.deployed;
const PARTITION = "2024-10";
const BYTES = new Uint8Array(1);

const file = (ulid: string) => eventFileKey(PROJECT, PARTITION, ulid);
const state = (kind: Parameters<typeof snapshotKey>[1]) => snapshotKey(PROJECT, kind, "kept");
const stored = (key: string) => ({ key, bytes: 1, rows: 1 });

/** One object for each place that names one. */
const NAMED = {
  segment: segmentKey(PROJECT, PARTITION, "waiting"),
  deltas: deltaKey(PROJECT, "waiting"),
  file: file("compacted"),
  loose: file("loose"),
  retired: file("retired"),
  persons: state("persons"),
  distinctIds: state("distinct-ids"),
  groups: state("groups"),
  history: state("history"),
  second: segmentKey(PROJECT, PARTITION, "second"),
  correction: correctionKey(PROJECT, "kept"),
  footers: footersKey(PROJECT, PARTITION, "kept"),
  otherFooters: footersKey(PROJECT, PARTITION, "other"),
  retiredToo: file("retired-too"),
};

const aFullLake = async () => {
  const lake = await smallLake(NOW);
  const { parts } = lake;
  for (const key of Object.values(NAMED)) await parts.objects.put(key, BYTES);
  await lake.commit(
    aCommit("c1", NOW, {
      segments: [NAMED.segment, NAMED.second].map((key) => ({ ...aFile(key), partition: PARTITION })),
      deltas: { key: NAMED.deltas, bytes: 1 },
    }),
  );
  const events = aManifest("m1", {
    files: [aFile(NAMED.file, { footerAt: { key: NAMED.footers, from: 0 } })],
    loose: [aFile(NAMED.loose, { footerAt: { key: NAMED.otherFooters, from: 0 } })],
    corrections: [{ key: NAMED.correction, commits: ["c1"] }],
  });
  await swap(parts, POLICY, PROJECT, PARTITION, null, events, null, { retired: [NAMED.retired, NAMED.retiredToo] });
  const persons = aState("s1", {
    persons: [stored(NAMED.persons)],
    distinctIds: [stored(NAMED.distinctIds)],
    groups: [stored(NAMED.groups)],
    history: [stored(NAMED.history)],
  });
  await swap(parts, POLICY, PROJECT, STATE_ENTRY, null, persons, null, { retired: [] });
  const manifests = [manifestKey(PROJECT, PARTITION, "m1"), manifestKey(PROJECT, STATE_ENTRY, "s1")];
  return { ...lake, all: [...Object.values(NAMED), ...manifests].toSorted() };
};

type FullLake = Awaited<ReturnType<typeof aFullLake>>;

const ofOrphan = aCommit("c2", NOW, { segments: [{ ...aFile(file("orphan")), partition: PARTITION }] });

const nextLook = async ({ parts }: Awaited<ReturnType<typeof smallLake>>) => (await parts.table.get(headKey(PROJECT)))?.duesk;

describe("an audit", () => {
  it("keeps everything that a commit, a manifest or a retired item names, however old it is", async () => {
    const lake = await aFullLake();
    lake.pass(400 * DAY_MS);
    await audit(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toEqual(lake.all);
  });
  it("deletes what nobody names once it is two days old", async () => {
    const lake = await aFullLake();
    const orphans = [
      ...["orphan-1", "orphan-2", "orphan-3"].map(file),
      segmentKey(PROJECT, PARTITION, "orphan"),
      deltaKey(PROJECT, "orphan"),
    ];
    for (const key of orphans) await lake.parts.objects.put(key, BYTES);
    lake.pass(2 * DAY_MS);
    await audit(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toEqual([...lake.all, ...orphans].toSorted());
    lake.pass(1);
    await audit(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toEqual(lake.all);
  });
  it("keeps results longer than what else nobody names, and not for ever", async () => {
    const lake = await aFullLake();
    const result = resultKey(PROJECT, "digest");
    await lake.parts.objects.put(result, BYTES);
    lake.pass(POLICY.resultAgeMs);
    await audit(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toContain(result);
    lake.pass(1);
    await audit(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toEqual(lake.all);
  });
  it.each(["2024-10", "state"])("reads the names anew when the manifest of %s was replaced and deleted meanwhile", async (entry) => {
    const lake = await aFullLake();
    const { table, objects } = lake.parts;
    lake.pass(400 * DAY_MS);
    let readings = 0;
    const get: typeof table.get = async (...given) => {
      const item = await table.get(...given);
      readings += 1;
      // The first reading sees a head that is older than what is deleted.
      return readings === 1 && item ? { ...item, [`m:${entry}`]: "gone" } : item;
    };
    await objects.put(file("orphan"), BYTES);
    lake.pass(3 * DAY_MS);
    await audit({ ...lake.parts, table: { ...table, get } }, POLICY, PROJECT);
    expect(readings).toBe(3);
    expect(lake.keys()).toEqual(lake.all);
  });
  it("looks again in a week", async () => {
    const lake = await aFullLake();
    lake.pass(DAY_MS);
    await audit(lake.parts, POLICY, PROJECT);
    expect(await nextLook(lake)).toBe(laterKeys(PROJECT, NOW + 8 * DAY_MS, headKey(PROJECT).sk).duesk);
  });
  it("comes a week after the project was made", async () => {
    expect(await nextLook(await smallLake(NOW))).toBe(laterKeys(PROJECT, NOW + 7 * DAY_MS, headKey(PROJECT).sk).duesk);
  });
  it("names the partitions that should be sealed and are not", async () => {
    const lake = await aFullLake();
    expect(await audit(lake.parts, POLICY, PROJECT)).toEqual([PARTITION]);
    await swap(lake.parts, POLICY, PROJECT, PARTITION, "m1", aManifest("m2", { sealed: true }), null, { retired: [] });
    expect(await audit(lake.parts, POLICY, PROJECT)).toEqual([]);
  });
  it("looks once where it suspects nothing", async () => {
    const lake = await aFullLake();
    let looks = 0;
    const get: typeof lake.parts.table.get = (...given) => {
      looks += 1;
      return lake.parts.table.get(...given);
    };
    await audit({ ...lake.parts, table: { ...lake.parts.table, get } }, POLICY, PROJECT);
    expect(looks).toBe(1);
  });
  it("gives up where a manifest that the head names is gone for good", async () => {
    const lake = await aFullLake();
    const get: typeof lake.parts.objects.get = async (key) => (key.includes("/manifests/") ? undefined : lake.parts.objects.get(key));
    const objects = { ...lake.parts.objects, get };
    await expect(audit({ ...lake.parts, objects }, POLICY, PROJECT)).rejects.toThrow("changed too often");
  });
  it.each([
    ["is named by then, as by a swap of which the first look saw one half,", (lake: FullLake) => lake.commit(ofOrphan)],
    ["belongs to a project that is removed by then", ({ parts }: FullLake) => parts.table.transact([tombstone(PROJECT, NOW, NOW + 5)])],
  ])("looks twice, and leaves what %s alone", async (_, meanwhile) => {
    const lake = await aFullLake();
    lake.pass(400 * DAY_MS);
    await lake.parts.objects.put(file("orphan"), BYTES);
    lake.pass(3 * DAY_MS);
    let pages = 0;
    const list: typeof lake.parts.objects.list = async (...given) => {
      const page = await lake.parts.objects.list(...given);
      pages += 1;
      if (pages === 1) await meanwhile(lake);
      return page;
    };
    await audit({ ...lake.parts, objects: { ...lake.parts.objects, list } }, POLICY, PROJECT);
    expect(lake.keys()).toEqual([...lake.all, file("orphan")].toSorted());
  });

  it("leaves a removed project to its removal", async () => {
    const lake = await aFullLake();
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW + 5)]);
    lake.pass(400 * DAY_MS);
    await lake.parts.objects.put(file("orphan"), BYTES);
    await audit(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toContain(file("orphan"));
    expect(await nextLook(lake)).toBe(laterKeys(PROJECT, NOW + 5, headKey(PROJECT).sk).duesk);
  });
});

describe("the removal of a project's data", () => {
  it("deletes items of which there are more than one page", async () => {
    const lake = await aFullLake();
    for (let at = 0; at < 7; at += 1) await lake.commit(aCommit(`more${at}`, NOW));
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW)]);
    lake.pass(POLICY.removalDelayMs);
    const { table } = lake.parts;
    const query: typeof table.query = (asked) => table.query({ ...asked, limit: 2 });
    await deleteRemoved({ ...lake.parts, table: { ...table, query } }, POLICY, PROJECT);
    expect(table.everything().map(({ sk }) => sk)).toEqual([headKey(PROJECT).sk]);
  });
  it("waits until readers that began before it have ended", async () => {
    const lake = await aFullLake();
    await deleteRemoved(lake.parts, POLICY, PROJECT);
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW)]);
    lake.pass(POLICY.removalDelayMs - 1);
    await deleteRemoved(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toEqual(lake.all);
  });
  it("deletes every object and item but the tombstone, nothing of another project, and comes once more for leftovers", async () => {
    const lake = await aFullLake();
    const foreign = segmentKey(PROJECT + 70, PARTITION, "other");
    await lake.parts.objects.put(foreign, BYTES);
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW)]);
    lake.pass(POLICY.removalDelayMs);
    await deleteRemoved(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toEqual([foreign]);
    expect(lake.parts.table.everything().map(({ sk }) => sk)).toEqual([headKey(PROJECT).sk]);
    const again = NOW + POLICY.removalDelayMs + POLICY.orphanAgeMs;
    expect(await nextLook(lake)).toBe(laterKeys(PROJECT, again, headKey(PROJECT).sk).duesk);

    await lake.parts.objects.put(file("leftover"), BYTES);
    lake.pass(again - lake.parts.clock.now());
    await deleteRemoved(lake.parts, POLICY, PROJECT);
    expect(lake.keys()).toEqual([foreign]);
    const head = await lake.parts.table.get(headKey(PROJECT));
    expect([head?.duepk, head?.duesk, typeof head?.removed_at]).toEqual([undefined, undefined, "number"]);
  });
});
