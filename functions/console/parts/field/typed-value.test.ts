import { expect, it } from "vitest";
import { typedValue, valueText } from "./typed-value.ts";

it.each([
  ["5", 5],
  ["-0.25", -0.25],
  ["true", true],
  ["null", null],
  ["[1]", [1]],
  ['"5"', "5"],
  ["signup", "signup"],
  ["2026-01-01", "2026-01-01"],
  ["", ""],
])("reads %s as %j", (text, value) => {
  expect(typedValue(text)).toEqual(value);
  expect(typedValue(valueText(value))).toEqual(value);
});

it.each(["9007199254740993", "-12345678901234567890", "1e400"])("keeps %s to its last digit", (text) => {
  expect(typedValue(text)).toBe(text);
  expect(valueText(text)).toBe(text);
});
