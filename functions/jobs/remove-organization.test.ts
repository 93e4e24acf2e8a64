import { expect, it } from "vitest";
import { lakeWorld } from "../../test/support/worlds/lake-world.ts";
import { organizationRemovalJob } from "./remove-organization.ts";

const ORGANIZATION = "0190d0aa-0000-7000-8000-000000000001";
const ENOUGH = { remainingMs: () => 600_000 };

it.each([
  ["what a fault says of itself", new RangeError("throttled"), "RangeError: throttled"],
  ["that it is unknown, where it is none", "throttled", "unknown"],
])("the removal of an organization that fails is not done, and says %s", async (_, thrown, error) => {
  const { world, log } = await lakeWorld();
  const table = { ...world.table, query: () => Promise.reject(thrown), getMany: () => Promise.reject(thrown) };
  expect(await organizationRemovalJob({ ...world, table }, ORGANIZATION, ENOUGH)).toBe(false);
  const fields = { organization: ORGANIZATION, kind: "remove-organization", error };
  expect(log.lines).toEqual([{ level: "error", event: "job_failed", fields }]);
});

it("the removal of an organization that is done is not spoken of", async () => {
  const { world, log } = await lakeWorld();
  expect(await organizationRemovalJob(world, ORGANIZATION, ENOUGH)).toBe(true);
  expect(log.lines).toEqual([]);
});
