import { expect, test } from "vitest";
import { bucketsBetween, byRank, type Line, MONEY } from "./lines.ts";
import { SeriesQuery, seriesRequest } from "./query.ts";

/** The first micro-dollar that a JavaScript number does not tell from the one after. */
const LARGE = 2n ** 53n;

const RANGE = { start_date: "2026-11-02", end_date: "2026-11-02", breakdowns: '["team"]' };
const request = seriesRequest(SeriesQuery.parse(RANGE), Date.UTC(2026, 10, 3));

const line = (project: number, micro: bigint): Line<{ readonly day: number; readonly micro: bigint }> => {
  const amounts = [{ day: request.from, micro }];
  return { type: null, whose: project, amounts, total: MONEY.total(amounts, request) };
};

test("amounts that differ by a micro-dollar have their order", () => {
  const lines = [0n, 1n, 2n, 3n].map((more, at) => line(at + 1, LARGE + more));
  expect(lines.toSorted(byRank).map(({ whose }) => whose)).toEqual([4, 3, 2, 1]);
});
test("money is added up exactly and sent in dollars of six places", () => {
  const amounts = Array.from({ length: 3 }, () => ({ day: request.from, micro: LARGE + 1n }));
  expect(MONEY.total(amounts, request)).toBe(3n * LARGE + 3n);
  expect(MONEY.points([{ day: request.from, micro: 1_000_001n }], request, bucketsBetween(request))).toEqual([1.000001]);
});
