import { describe, expect, it } from "vitest";
import { aManifest, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import type { Table } from "../../ports/table.ts";
import { manifestKey } from "../paths.ts";
import { POLICIES, policyOf } from "../policy.ts";
import { publicationItem } from "../published.ts";
import { forget, readRetired } from "./retired.ts";
import { swap } from "./swap.ts";

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const PUBLISHING = policyOf({ compaction: "deployed", publish: "iceberg" });
const PARTITION = "2024-10";

const aLakeThatRetired = async (keys: readonly string[]) => {
  const lake = await smallLake(NOW);
  for (const key of keys) await lake.parts.objects.put(key, new Uint8Array(1));
  await swap(lake.parts, POLICIES.deployed, PROJECT, PARTITION, null, aManifest("m1"), null, { retired: keys });
  const [item] = lake.parts.table.everything().filter(({ sk }) => sk.startsWith("retired#"));
  return { ...lake, sk: item?.sk ?? "" };
};

describe("what a swap retired", () => {
  it("is deleted, and then nothing speaks of it; doing so again does nothing", async () => {
    const lake = await aLakeThatRetired(["events/a", "events/b"]);
    await forget(lake.parts, POLICIES.deployed, PROJECT, lake.sk);
    await forget(lake.parts, POLICIES.deployed, PROJECT, lake.sk);
    expect(lake.keys().filter((key) => key.startsWith("events/"))).toEqual([]);
    expect(await readRetired(lake.parts.table, PROJECT)).toEqual([]);
  });
  it("is spoken of as a whole, however many swaps and pages it is of", async () => {
    const lake = await aLakeThatRetired(["events/a", "events/b"]);
    for (const at of [1, 2, 3])
      await swap(lake.parts, POLICIES.deployed, PROJECT, PARTITION, `m${at}`, aManifest(`m${at + 1}`), null, { retired: [`events/${at}`] });
    const manifests = [1, 2, 3].flatMap((at) => [`events/${at}`, manifestKey(PROJECT, PARTITION, `m${at}`)]);
    for (const limit of [1, 3, 100]) {
      const table: Table = { ...lake.parts.table, query: (asked) => lake.parts.table.query({ ...asked, limit }) };
      expect(await readRetired(table, PROJECT)).toEqual(["events/a", "events/b", ...manifests]);
    }
  });
  it("is still spoken of where deleting it failed, so that it is tried again", async () => {
    const lake = await aLakeThatRetired(["events/a"]);
    const objects = { ...lake.parts.objects, remove: () => Promise.reject(new Error("503")) };
    await expect(forget({ ...lake.parts, objects }, POLICIES.deployed, PROJECT, lake.sk)).rejects.toThrow("503");
    expect(await readRetired(lake.parts.table, PROJECT)).toEqual(["events/a"]);
  });
  it("stays as long as a published snapshot may name it, each object for itself, and is asked to be published anew when that is over", async () => {
    const [early, late] = ["01MCC5RM00AAAAAAAAAAAAAAAA", "01MCC96FM0AAAAAAAAAAAAAAAA"].map((id) => `events/${id}.parquet`) as [
      string,
      string,
    ];
    const lake = await aLakeThatRetired([early, late]);
    const publication = { table: "events", metadata: "m", snapshot: 1, at: NOW, state: "s" };
    const reads = (...at: number[]) => lake.parts.table.put(publicationItem(PROJECT, { ...publication, reads: at }));
    const events = () => lake.keys().filter((key) => key.startsWith("events/"));
    const run = () => forget(lake.parts, PUBLISHING, PROJECT, lake.sk);
    await reads(NOW - 1);
    lake.pass(PUBLISHING.retiredStayMs);
    expect(await run()).toBe("waits");
    expect(events()).toEqual([early]);
    lake.pass(PUBLISHING.snapshotStayMs);
    expect(await run()).toBe("overdue");
    await reads(NOW + 60 * MINUTE_MS);
    expect(await run()).toBe("done");
    expect(events()).toEqual([]);
  });
});
