import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeSkipped, fileVersion, joinPlaces, placesWithout, rowsLeft, skippedPlaces } from "./skipped-rows.ts";

const places = fc.uniqueArray(fc.integer({ min: 0, max: 300_000 }), { minLength: 1 }).map((list) => list.sort((a, b) => a - b));

it("gives the places back, one by one or in runs", () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 0, max: 50 }), (list, length) => {
      const all = [...new Set(list.flatMap((place) => Array.from({ length: length + 1 }, (_, at) => place + at)))].sort((a, b) => a - b);
      const skip = encodeSkipped(all);
      expect(skippedPlaces({ skip })).toEqual(all);
      expect(skip.rows).toBe(all.length);
    }),
  );
});

it("says of neighbours no more than of one", () => {
  expect(encodeSkipped(Array.from({ length: 1_000 }, (_, at) => at + 5)).runs).toBe("5.rs");
});

it("tells a file from the same one with other rows skipped", () => {
  expect(fileVersion({ key: "f" })).not.toBe(fileVersion({ key: "f", skip: encodeSkipped([1]) }));
  expect(fileVersion({ key: "f", skip: encodeSkipped([1]) })).not.toBe(fileVersion({ key: "f", skip: encodeSkipped([2]) }));
  expect(rowsLeft({ rows: 5, skip: encodeSkipped([1, 2]) })).toBe(3);
});

it("leaves out of a list what is in another", () => {
  fc.assert(
    fc.property(places, places, (list, others) => {
      const left = list.filter((place) => !others.includes(place));
      expect(placesWithout(list, others)).toEqual(left);
      expect(placesWithout(list, [])).toEqual(list);
    }),
  );
});

it("joins places without repeating any", () => {
  expect(joinPlaces([1, 4], [2, 4, 9])).toEqual([1, 2, 4, 9]);
});
