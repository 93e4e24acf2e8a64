import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { simulate } from "./simulate.ts";

describe("issues that are merged, split and taken out again at once", () => {
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
