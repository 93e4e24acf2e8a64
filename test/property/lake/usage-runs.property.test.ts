import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decodeRuns, eachCount, encodeRuns, sumBetween } from "../../../lib/usage/runs.ts";

const counts = fc.dictionary(
  fc.integer({ min: 20_000, max: 20_040 }).map(String),
  fc.dictionary(fc.constantFrom("a", "b", "historical:a"), fc.nat()),
);
const EVER = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

it("runs say the same as the days that they were made of, whatever names were known before", () => {
  void fc.assert(
    fc.property(counts, fc.subarray(["z", "b"]), (days, known) => {
      const names = [...known];
      const given = Object.fromEntries(Object.entries(days).filter(([, types]) => Object.keys(types).length > 0));
      expect(decodeRuns(encodeRuns(given, names), names, ...EVER)).toEqual(given);
    }),
  );
});

it("the days between two are handed out once each, both ends included", () => {
  void fc.assert(
    fc.property(counts, fc.integer({ min: 19_990, max: 20_050 }), fc.integer({ min: 19_990, max: 20_050 }), (days, from, to) => {
      const names: string[] = [];
      const handed: Record<string, Record<string, number>> = {};
      for (const run of encodeRuns(days, names))
        eachCount(run, from, to, (day, count) => {
          handed[day] = { ...handed[day], [names[run[0]] ?? ""]: count };
        });
      const asked = Object.entries(days).filter(
        ([day, types]) => Number(day) >= from && Number(day) <= to && Object.keys(types).length > 0,
      );
      expect(handed).toEqual(Object.fromEntries(asked));
      expect(decodeRuns(encodeRuns(days, names), names, from, to)).toEqual(handed);
    }),
  );
});

it("days that follow one another are one run, whose sum between two days is that of its counts there", () => {
  const days = { 20000: { a: 1, b: 7 }, 20001: { a: 2 }, 20002: { a: 4, b: 8 } };
  const [first = [0, 0], ...others] = encodeRuns(days, []);
  expect([first, ...others]).toEqual([
    [0, 20_000, 1, 2, 4],
    [1, 20_000, 7],
    [1, 20_002, 8],
  ]);
  for (const [from, to, sum] of [
    [19_990, 20_050, 7],
    [20_001, 20_001, 2],
    [20_000, 20_001, 3],
    [20_001, 20_002, 6],
    [20_003, 20_050, 0],
    [19_000, 19_999, 0],
  ] as const)
    expect(sumBetween(first, from, to)).toBe(sum);
});

it("days before 1970 are one run, too, which begins with the first of them", () => {
  expect(encodeRuns({ "-1": { a: 1 }, "-3": { a: 3 }, "-2": { a: 2 }, "0": { a: 4 } }, [])).toEqual([[0, -3, 3, 2, 1, 4]]);
});
