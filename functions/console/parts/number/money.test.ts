import { expect, it } from "vitest";
import { sumUsd, usdText } from "./money.ts";

it.each([
  ["0.00", "$0.00"],
  ["1234567.5", "$1\u202f234\u202f567.50"],
  ["0.0000343", "$0.0000343"],
  ["-12.40", "−$12.40"],
  [0.1, "$0.10"],
  [1e-6, "$0.000001"],
])("says %s", (usd, text) => {
  expect(usdText(usd)).toBe(text);
});

it("adds without losing anything", () => {
  expect(sumUsd([0.1, 0.2, "0.3"])).toBe("0.6");
  expect(sumUsd([])).toBe("0");
});
