import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { simulate } from "./simulate.ts";

/** Seeds of an ordinary test run; `npm run issues -- --seeds N` runs more. */
const SEEDS = 150;

describe("issues that are merged, split and taken out again at once", () => {
  it(`keep each exception in one issue in ${SEEDS} random schedules`, async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { failure } = await simulate(seed);
      if (failure) throw new Error(`npm run issues -- --seeds 1 --from ${seed}: ${failure.message}`, { cause: failure });
    }
  });
  it("are the same again from the same seed", async () => {
    const [once, again] = [await simulate(7, { trace: true }), await simulate(7, { trace: true })];
    expect(once.trace.length).toBeGreaterThan(20);
    expect(again).toEqual(once);
  });
});

describe("each condition that has to be there", () => {
  test.each(FAULTS)("can still be taken out: $name", ({ file, original }) => {
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8").split(original)).toHaveLength(2);
  });
});
