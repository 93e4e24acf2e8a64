import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { anEventRow } from "../../test/support/event-rows.ts";
import { lakeWorld } from "../../test/support/lake-world.ts";
import { commitDrain } from "./commit.ts";
import { readCommits } from "./commits.ts";
import { readDeltas } from "./deltas.ts";
import { partitionOf } from "./event.ts";
import type { RowFiles } from "./row-files.ts";

/** Facts that cannot be packed, so that those of many partitions fit into no item. */
const bulky = (files: Pick<RowFiles, "write">): Pick<RowFiles, "write"> => ({
  write: async (rows) => ({ ...(await files.write(rows)), usage: { "1": { [randomBytes(2_600).toString("base64")]: rows.length } } }),
});

it("splits a drain that fits into no item, with each of its segments and its deltas in exactly one commit of a safe size", async () => {
  const lake = await lakeWorld();
  const months = Array.from({ length: 140 }, (_, at) => BigInt(Date.UTC(2015, at, 2)) * 1_000n);
  const rows = months.map((timestamp) => anEventRow({ timestamp }));
  const seen = [{ id: "ann", first: { time: 1n, index: 0, uuid: "u" }, last: 1n }];
  const world = { ...lake.world, segments: bulky(lake.world.segments) };
  await commitDrain(world, { project: 1, lane: "historical", rows, deltas: { seen, persons: [], groups: [] } });
  const { items } = await lake.stored.query({ pk: "lake#1", sk: { prefix: "commit#" } });
  expect(items.length).toBeGreaterThan(1);
  for (const { body } of items) expect(body instanceof Uint8Array ? body.length : Number.NaN).toBeLessThanOrEqual(300_000);
  const commits = await readCommits(lake.stored, 1);
  const segments = commits.flatMap((commit) => commit.segments);
  expect(segments.map(({ partition }) => partition).toSorted()).toEqual(months.map(partitionOf).toSorted());
  const deltas = commits.filter((commit) => commit.deltas !== null);
  expect(deltas).toHaveLength(1);
  expect(await readDeltas(lake.objects, deltas[0]?.deltas ?? null)).toMatchObject({ seen });
});
