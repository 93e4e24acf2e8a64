import { expect, it } from "vitest";
import { exactNumber, type PlotData, placeText, plotCsv } from "./plot-data.ts";
import { sums } from "./sums.ts";

const midnight = Date.parse("2026-09-22T00:00Z") / 1_000;

it("says a place as a day, a minute or a name", () => {
  const x = { kind: "time", values: Float64Array.of(midnight, midnight + 60, midnight + 61) } as const;
  expect([0, 1, 2, 3].map((at) => placeText(x, at))).toEqual(["2026-09-22", "2026-09-22 00:01", "2026-09-22 00:01:01", ""]);
  expect(placeText({ ...x, zone: "Asia/Tokyo" }, 0)).toBe("2026-09-22 09:00");
  expect(placeText({ kind: "category", values: ["Chrome"] }, 0)).toBe("Chrome");
});

it("writes no number as nothing, and none in hundreds of digits", () => {
  expect([0, 0.1, 1 / 3, 1234567.891, 2 ** 53].map(exactNumber)).toEqual([
    "0",
    "0.1",
    "0.333333",
    "1\u202f234\u202f567.891",
    "9\u202f007\u202f199\u202f254\u202f740\u202f992",
  ]);
  expect([1 / 7000, -1.5e-7, 1e300, undefined, Number.NaN].map(exactNumber)).toEqual(["0.000142857", "-1.5e-7", "1e+300", "–", "–"]);
});

it("writes a line for each place, with nothing where there is no number", () => {
  const data: PlotData = {
    x: { kind: "category", values: ["Chrome", "=1+1"] },
    series: [
      { title: "events", values: Float64Array.of(2, 0.5) },
      { title: "people, all", values: Float64Array.of(Number.NaN, 1) },
    ],
  };
  expect(plotCsv(data)).toBe(`,events,"people, all"\nChrome,2,\n'=1+1,0.5,1\n`);
});

it("adds each column to those below it", () => {
  const layers = sums([Float64Array.of(1, 2), Float64Array.of(Number.NaN, 3), Float64Array.of(4, 5)]);
  expect(layers.map((layer) => [...layer])).toEqual([
    [1, 2],
    [1, 5],
    [5, 10],
  ]);
});
