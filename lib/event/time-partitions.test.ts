import fc from "fast-check";
import { expect, it } from "vitest";
import { daysWithin, overlap, partitionAt, partitionDays, partitionEnd, utcDay } from "./time-partitions.ts";
import { parseTime } from "./times.ts";

const YEAR_0_US = -62_167_219_200_000_000n;
const YEAR_9999_US = 253_402_300_799_999_999n;

it("a partition's days hold every time that belongs to it", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: YEAR_0_US, max: YEAR_9999_US }), (micros) => {
      const [first, last] = partitionDays(partitionAt(micros));
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
  expect(daysWithin({ from: day, to: 3n * day })).toEqual([1, 2]);
  expect(daysWithin({ from: day - 1n, to: 3n * day + 1n })).toEqual([0, 3]);
  expect(daysWithin({ from: null, to: null })).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

it.each([
  ["0000-01-01T00:00:00Z", "old"],
  ["1969-12-31T23:59:59.999999Z", "old"],
  ["1970-01-01T00:00:00Z", "1970"],
  ["2014-12-31T23:59:59.999999Z", "2014"],
  ["2015-01-01T00:00:00Z", "2015-01"],
  ["2026-09-30T23:59:59.999999Z", "2026-09"],
  ["2026-12-01T00:00:00Z", "2026-12"],
  ["9999-12-31T23:59:59.999999Z", "9999-12"],
])("an event of %s is kept with those of %s", (time, partition) => {
  expect(partitionAt(parseTime(time) ?? 1n)).toBe(partition);
});
