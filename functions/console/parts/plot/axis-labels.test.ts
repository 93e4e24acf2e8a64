import { expect, it } from "vitest";
import { numberLabels, timeLabels } from "./axis-labels.ts";

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

it.each([
  ["thousands by quarters", [0, 250, 1_000, 1_250, 1_500, 1_750], ["0", "250", "1K", "1.25K", "1.5K", "1.75K"]],
  ["millions", [0, 500_000, 1_000_000, 1_500_000], ["0", "500K", "1M", "1.5M"]],
  ["rates", [0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03], ["0", "0.005", "0.01", "0.015", "0.02", "0.025", "0.03"]],
  ["sums of rates, which are no round numbers", [0, 0.1, 0.2, 0.1 + 0.2], ["0", "0.1", "0.2", "0.3"]],
  ["tiny numbers", [0, 2.5e-7, 5e-7], ["0", "2.5E-7", "5E-7"]],
  ["numbers that no letter is for", [0, 1e17, 2e17], ["0", "1E17", "2E17"]],
  ["numbers below nothing", [-1_500, -1_250, 0], ["-1.5K", "-1.25K", "0"]],
  ["large numbers that are near to each other", [1_000_000, 1_000_001, 1_000_002], ["1M", "1.000001M", "1.000002M"]],
  ["one number", [7], ["7"]],
  ["nothing", [], []],
])("tells %s apart", (_, numbers, labels) => {
  expect(numberLabels(numbers)).toEqual(labels);
});
