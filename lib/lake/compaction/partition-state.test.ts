import { expect, it } from "vitest";
import { memoryRowFiles, rowLists } from "../../../test/simulation/ports/row-files.ts";
import { aFile, aManifest, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { placeFacts } from "../catalogue/leaves.ts";
import { getManifest } from "../catalogue/manifests.ts";
import { swap } from "../catalogue/swap.ts";
import { POLICIES } from "../policy.ts";
import { encodeSkipped } from "../skipped-rows.ts";
import { findPartition } from "./partition-state.ts";

const NOW = Date.UTC(2026, 2, 20);
const PARTITION = "2026-03";
const DAY = 20_527;

/** Each file lies in a leaf of its own. */
const POLICY = { ...POLICIES.deployed, factsInside: 1, leafBytes: 1 };

it("a file none of whose rows are left is found with those of its days, whichever leaf they lie in", async () => {
  const { parts } = await smallLake(NOW);
  const onDay = (key: string, day: number, changes = {}) => aFile(`events/${key}`, { days: [day, day], ...changes });
  const files = [onDay("other", DAY - 1), onDay("seen", DAY), onDay("gone", DAY, { skip: encodeSkipped([0]) })];
  const manifest = await placeFacts(parts, POLICY, PROJECT, null, aManifest("m1", { partition: PARTITION, files }));
  await swap(parts, POLICY, PROJECT, PARTITION, null, manifest, null, { retired: [] });
  const root = await getManifest(parts.objects, PROJECT, PARTITION, "m1", () => false);
  expect(root?.leaves?.length).toBeGreaterThan(1);
  const rowFiles = memoryRowFiles(parts.objects, rowLists(), { countUsage: () => ({}) });
  const found = await findPartition({ ...parts, rowFiles }, POLICY, { project: PROJECT, partition: PARTITION }, { kind: "due", now: NOW });
  expect(found === "removed" ? [] : found.manifest?.files.map(({ key }) => key).toSorted()).toEqual(["events/gone", "events/seen"]);
});
