import { describe, expect, test } from "vitest";
import { seenAnywhere } from "./first-seen.ts";
import { SAFEGUARDS } from "./safeguards.ts";
import { simulate } from "./simulate.ts";

/** Seeds of an ordinary test run; `npm run simulate -- --seeds N` runs more. */
const SEEDS = 300;

describe("the lake under faults", () => {
  test(`loses nothing, shows nothing twice and ends its work in ${SEEDS} random schedules`, async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { failure } = await simulate(seed);
      if (failure) throw new Error(`npm run simulate -- --seeds 1 --from ${seed}: ${failure.message}`, { cause: failure });
    }
  });

  test("repeats a run exactly from its seed", async () => {
    const [once, again] = [await simulate(7, { trace: true }), await simulate(7, { trace: true })];
    expect(once.trace.length).toBeGreaterThan(100);
    expect(again).toEqual(once);
  });
});

describe("each safeguard matters", () => {
  test.each(SAFEGUARDS)("without the %s some schedule fails", async (missing) => {
    expect(await seenAnywhere(missing)).toBeTypeOf("string");
  });
});
