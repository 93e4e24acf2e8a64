import * as fc from "fast-check";
import { expect, it } from "vitest";
import { dayCountsOf, eachCount, runsOf } from "./runs.ts";

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
      expect(dayCountsOf(runsOf(given, names), names, ...EVER)).toEqual(given);
    }),
  );
});

it("the days between two are handed out once each, both ends included", () => {
  void fc.assert(
    fc.property(counts, fc.integer({ min: 19_990, max: 20_050 }), fc.integer({ min: 19_990, max: 20_050 }), (days, from, to) => {
      const names: string[] = [];
      const handed: Record<string, Record<string, number>> = {};
      for (const run of runsOf(days, names))
        eachCount(run, from, to, (day, count) => {
          handed[day] = { ...handed[day], [names[run[0]] ?? ""]: count };
        });
      const asked = Object.entries(days).filter(
        ([day, types]) => Number(day) >= from && Number(day) <= to && Object.keys(types).length > 0,
      );
      expect(handed).toEqual(Object.fromEntries(asked));
    }),
  );
});
