import { describe, expect, it } from "vitest";
import { findSpikes } from "./buckets.ts";

const DEFAULTS = { multiplier: 10, threshold: 500 };
const of = (...counts: readonly number[]) => counts.map((count) => new Map(count === 0 ? [] : [["a", count]]));
const baselineOf = (counts: readonly ReadonlyMap<string, number>[]) => findSpikes(["a"], counts, DEFAULTS).map(({ baseline }) => baseline);

describe("a spike", () => {
  it.each([
    ["500 after a steady ten", of(500, ...Array.from({ length: 11 }, () => 10)), [10]],
    ["600 after one bucket of ten", of(600, 10), [10]],
    ["600 after nothing but empty buckets and one of ten", of(600, 0, 0, 10, 0), [10]],
    ["700 after a hundred, which is less than tenfold", of(700, 100), []],
    ["tenfold and no more", of(1_000, 100), []],
    ["fifty, which is under the threshold", of(50), []],
    ["550 of an issue without a history, in a project that has ten an issue", [new Map([["a", 550]]), new Map([["b", 10]])], [10]],
    ["600 where nothing was there before", of(600), [0]],
  ])("is or is not %s", (_, counts, baselines) => {
    expect(baselineOf(counts)).toEqual(baselines);
  });

  it("compares an issue without a history with the mean of the project's buckets, each by its issues", () => {
    const spread = (total: number, issues: number) =>
      new Map(Array.from({ length: issues }, (_, index) => [`other-${index}`, total / issues]));
    expect(baselineOf([new Map([["a", 600]]), spread(20, 2), spread(15, 3), spread(12, 4)])).toEqual([(10 + 5 + 3) / 3]);
    expect(baselineOf([new Map([["a", 600]]), spread(20, 2), spread(15, 3), spread(12, 4), spread(8, 2), new Map()])).toEqual([
      (10 + 5 + 3 + 4) / 4,
    ]);
  });
});
