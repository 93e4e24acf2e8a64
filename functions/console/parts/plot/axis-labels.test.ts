import { expect, it } from "vitest";
import { timeLabels } from "./axis-labels.ts";

const seconds = (...moments: readonly string[]): number[] => moments.map((moment) => Date.parse(moment) / 1_000);

it.each([
  [
    "hours with the day where it begins",
    seconds("2026-09-21T22:00Z", "2026-09-21T23:00Z", "2026-09-22T00:00Z"),
    ["22:00\n21 Sep", "23:00", "00:00\n22 Sep"],
  ],
  ["days with the year where it begins", seconds("2025-12-31T00:00Z", "2026-01-01T00:00Z"), ["31 Dec\n2025", "1 Jan\n2026"]],
  ["months", seconds("2026-01-01T00:00Z", "2026-02-01T00:00Z"), ["Jan\n2026", "Feb"]],
  ["years", seconds("2025-01-01T00:00Z", "2026-01-01T00:00Z"), ["2025", "2026"]],
  ["seconds", seconds("2026-01-01T00:00:10Z", "2026-01-01T00:00:20Z"), ["00:00:10\n1 Jan", "00:00:20"]],
])("labels %s", (_, moments, labels) => {
  expect(timeLabels(moments)).toEqual(labels);
});

it("says the clock of a zone", () => {
  expect(timeLabels(seconds("2026-09-21T22:00Z", "2026-09-21T23:00Z"), "Europe/Berlin")).toEqual(["00:00\n22 Sep", "01:00"]);
});
