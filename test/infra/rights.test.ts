import { expect, it } from "vitest";
import { importing, sleepy } from "../bench/cost/loads.ts";

const NOTHING = {};
/** What compaction replaced is deleted after a day. */
const RETIRED_HOURS = 26;

it("lets the functions do all that an import needs, from the request to the last clean-up", async () => {
  const { amounts } = await importing(NOTHING, 4_000, RETIRED_HOURS);
  expect(amounts.objectWrites).toBeGreaterThan(10);
});

it("lets the functions do all that live events need, over the hours", async () => {
  const { amounts } = await sleepy(NOTHING, { projects: 2, hours: 2, standsFor: 2 });
  expect(amounts.tableWrites).toBeGreaterThan(100);
});
