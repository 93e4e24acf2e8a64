import { expect, it } from "vitest";
import { numberText } from "./number.tsx";

it("writes thousands apart, two places, and no number as nothing", () => {
  expect([0, 12_345, 0.336, 2n ** 63n].map(numberText)).toEqual([
    "0",
    "12\u202f345",
    "0.34",
    "9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808",
  ]);
  expect([0.004, -0.00123, 1.5e-9].map(numberText)).toEqual(["0.004", "-0.0012", "1.5e-9"]);
});
