import { expect, it } from "vitest";
import { atPlaces } from "./row-places.ts";

it("names every run of rows, in as many conditions as it takes", () => {
  const even = Array.from({ length: 6_000 }, (_, at) => 2 * at);
  const conditions = atPlaces([even, [1, 2, 3, 9]]);
  expect(conditions).toHaveLength(2);
  const runs = conditions.flatMap((condition) =>
    [...condition.matchAll(/\((\d+), (\d+)\)/g)].map(([, from, to]) => Number(to) - Number(from)),
  );
  expect(runs).toHaveLength(6_002);
  expect(runs.slice(-2)).toEqual([3, 1]);
  expect(atPlaces([[], []])).toEqual([]);
});
