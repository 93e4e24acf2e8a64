import { expect, it } from "vitest";
import { swap } from "../../lib/lake/catalogue/swap.ts";
import { publishSk } from "../../lib/lake/paths.ts";
import { policyOf } from "../../lib/lake/policy.ts";
import { readPublications } from "../../lib/lake/published.ts";
import { changeRemovals } from "../../lib/lake/removal/change-removals.ts";
import type { Table } from "../../lib/ports/table.ts";
import { readTable } from "../../test/support/iceberg/read-table.ts";
import { aFile, aManifest, PROJECT } from "../../test/support/samples/small-lake.ts";
import { DAY_MS, HOUR_MS, lakeWorld } from "../../test/support/worlds/lake-world.ts";
import { publishJob } from "./publish.ts";

const PUBLISHING = policyOf({ compaction: "deployed", publish: "iceberg" });

it("a snapshot that may name what holds removed rows goes, however long nobody was there to drop it; others stay for a week", async () => {
  const { world, skip } = await lakeWorld();
  const swapped = (from: string | null, to: string) =>
    swap(world, PUBLISHING, PROJECT, "2024-10", from, aManifest(to, { files: [aFile(`events/${to}`)] }), null, { retired: [] });
  const publish = () => publishJob(world, PUBLISHING, PROJECT);
  const listed = async () => (await readPublications(world.table, PROJECT))[0]?.reads.length;
  await swapped(null, "m1");
  await publish();
  skip(HOUR_MS);
  await swapped("m1", "m2");
  await publish();
  skip(3 * DAY_MS);
  await publish();
  expect(await listed()).toBe(2);
  const removed = await changeRemovals(world, PUBLISHING, PROJECT, (before) => ({ ...before, at: world.clock.now() - 3 * DAY_MS }));
  expect(removed).not.toBe("removed");
  await publish();
  expect(await listed()).toBe(1);
});

it("a job that publishes reads the head after it took the marks: a swap whose mark it took is published", async () => {
  const { world, objects } = await lakeWorld();
  const swapped = (from: string | null, to: string) =>
    swap(world, PUBLISHING, PROJECT, "2024-10", from, aManifest(to, { files: [aFile(`events/${to}`)] }), null, { retired: [] });
  const marks = async () => (await world.table.query({ pk: `lake#${PROJECT}`, sk: { prefix: publishSk("") } })).items.length;
  await swapped(null, "m1");
  expect(await marks()).toBe(1);
  let isSwapped = false;
  const query: Table["query"] = async (asked) => {
    const page = await world.table.query(asked);
    if (!isSwapped && asked.sk !== undefined && "prefix" in asked.sk && asked.sk.prefix === publishSk("")) {
      isSwapped = true;
      await swapped("m1", "m2");
    }
    return page;
  };
  await publishJob({ ...world, table: { ...world.table, query } }, PUBLISHING, PROJECT);
  expect(await marks()).toBe(0);
  const [published] = await readPublications(world.table, PROJECT);
  const { current } = readTable((key) => objects.everything().get(key), published?.metadata ?? "");
  expect(current.files.map(({ key }) => key)).toEqual(["events/m2"]);
});
