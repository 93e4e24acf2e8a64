import { expect, it } from "vitest";
import { tombstone } from "../../lib/lake/head.ts";
import { POLICIES } from "../../lib/lake/policy.ts";
import { HOUR_MS, lakeWorld, SEALED_DAY, someRows } from "../../test/support/worlds/lake-world.ts";
import { projectRemovalJob } from "./remove-project.ts";

const POLICY = POLICIES.deployed;

it("the data of a removed project is deleted only when what is owed for it is counted", async () => {
  const lake = await lakeWorld();
  await lake.commit(someRows(3, "a", SEALED_DAY));
  await lake.pass(2 * HOUR_MS);
  const now = lake.world.clock.now();
  await lake.stored.transact([tombstone(1, now, now)]);
  lake.skip(POLICY.removalDelayMs);
  const stored = () => [...lake.objects.everything().keys()].filter((key) => key.startsWith("events/project=1/")).length;
  const remove = () => projectRemovalJob(lake.world, POLICY, 1, { remainingMs: () => 600_000 });
  const { get } = lake.world.table;
  Object.assign(lake.world.table, {
    get: (...given: Parameters<typeof get>) => (given[0].pk.startsWith("usage#") ? Promise.reject(new Error("throttled")) : get(...given)),
  });
  await expect(remove()).rejects.toThrow("throttled");
  expect(stored()).toBeGreaterThan(0);
  Object.assign(lake.world.table, { get });
  await remove();
  expect(stored()).toBe(0);
});
