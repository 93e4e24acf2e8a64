import { expect, it } from "vitest";
import { memoryRowFiles, rowLists } from "../../test/simulation/ports/row-files.ts";
import { anEventRow, countRows } from "../../test/support/samples/event-rows.ts";
import { aCommit, objectsWithout, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import type { Objects } from "../ports/objects.ts";
import { getManifest } from "./catalogue/manifests.ts";
import { compact } from "./compact.ts";
import { readHead } from "./head.ts";
import { POLICIES } from "./policy.ts";

const NOW = Date.UTC(2024, 9, 20);
const PARTITION = "2024-10";
const HOUR_MS = 3_600_000;

it("counts the stay of commits from the swap that absorbed them, however long the manifest's footers took to write", async () => {
  const lake = await smallLake(NOW);
  const objects: Objects = {
    ...lake.parts.objects,
    async put(key, bytes) {
      if (key.includes("/footers/")) lake.pass(HOUR_MS);
      await lake.parts.objects.put(key, bytes);
    },
  };
  const rowFiles = memoryRowFiles(objects, rowLists(), { countUsage: countRows });
  const { content, ...facts } = await rowFiles.write([anEventRow({ timestamp: BigInt(NOW) * 1_000n })]);
  await objects.put("segment", content);
  await lake.commit(aCommit("c1", NOW, { segments: [{ key: "segment", partition: PARTITION, ...facts }] }));
  const job = { project: PROJECT, partition: PARTITION, upTo: "c1", seal: false };
  const parts = { ...lake.parts, objects, rowFiles };
  expect(await compact(parts, { ...POLICIES.deployed, footersInside: 0 }, job)).toMatchObject({ swaps: 1 });
  const { manifests } = await readHead(parts.table, PROJECT);
  const manifest = await getManifest(objects, PROJECT, PARTITION, manifests[PARTITION] ?? "");
  expect(manifest).toMatchObject({ absorbed: ["c1"], absorbedAt: [NOW + HOUR_MS] });
});

it("reads the head again where the manifest that it named is deleted by now, and gives up when that happens again and again", async () => {
  const lake = await smallLake(NOW);
  const rowFiles = memoryRowFiles(lake.parts.objects, rowLists(), { countUsage: countRows });
  const segment = async (key: string) => {
    const { content, ...facts } = await rowFiles.write([anEventRow({ timestamp: BigInt(NOW) * 1_000n, distinct_id: key })]);
    await lake.parts.objects.put(key, content);
    return { key, partition: PARTITION, ...facts };
  };
  const compactWithout = (manifests: number, upTo: string) => {
    const parts = { ...lake.parts, objects: objectsWithout(lake.parts.objects, "/manifests/", manifests), rowFiles };
    return compact(parts, POLICIES.deployed, { project: PROJECT, partition: PARTITION, upTo, seal: false });
  };
  await lake.commit(aCommit("c1", NOW, { segments: [await segment("first")] }));
  await compactWithout(0, "c1");
  await lake.commit(aCommit("c2", NOW, { segments: [await segment("second")] }));
  await expect(compactWithout(3, "c2")).rejects.toThrow(`the manifest of partition ${PARTITION} of project ${PROJECT} is missing`);
  expect(await compactWithout(2, "c2")).toMatchObject({ swaps: 1, outcome: "done" });
});
