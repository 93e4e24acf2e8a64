import fc from "fast-check";
import { expect, it } from "vitest";
import { partitionOf, utcDay } from "./days.ts";
import { daysOf, overlap, partitionDays, partitionEnd } from "./time-partitions.ts";

const YEAR_0_US = -62_167_219_200_000_000n;
const YEAR_9999_US = 253_402_300_799_999_999n;

it("a partition's days hold every time that belongs to it", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: YEAR_0_US, max: YEAR_9999_US }), (micros) => {
      const [first, last] = partitionDays(partitionOf(micros));
      expect(utcDay(micros) >= first && utcDay(micros) <= last).toBe(true);
    }),
  );
});

it("neighbouring partitions touch and do not overlap", () => {
  for (const [before, after] of [
    ["old", "1970"],
    ["2014", "2015-01"],
    ["2025-12", "2026-01"],
    ["2024-02", "2024-03"],
  ] as const) {
    expect(partitionDays(after)[0] - partitionDays(before)[1]).toBe(1);
    expect(overlap(partitionDays(before), partitionDays(after))).toBe(false);
  }
  expect(partitionEnd("2024-02")).toBe(Date.UTC(2024, 2, 1));
});

it("ranges of days overlap where they share a day, whichever is the longer", () => {
  for (const [a, b, expected] of [
    [[1, 9], [3, 4], true],
    [[1, 3], [3, 9], true],
    [[1, 2], [3, 9], false],
    [[5, 5], [5, 5], true],
  ] as const) {
    expect(overlap(a, b)).toBe(expected);
    expect(overlap(b, a)).toBe(expected);
  }
});

it("a range of time touches the days from its first moment to its last, or all", () => {
  const day = 86_400_000_000n;
  expect(daysOf({ from: day, to: 3n * day })).toEqual([1, 2]);
  expect(daysOf({ from: day - 1n, to: 3n * day + 1n })).toEqual([0, 3]);
  expect(daysOf({ from: null, to: null })).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
});
