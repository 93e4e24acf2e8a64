import { describe, expect, it } from "vitest";
import { exactJson } from "../../core/exact-json.ts";
import type { PropertyType } from "../property-types.ts";
import { isAlwaysText, typeOfValue } from "./property-kinds.ts";

describe("the type that a value speaks for", () => {
  it.each<[value: unknown, type: PropertyType | null]>([
    [0, "Numeric"],
    [-2.5, "Numeric"],
    [exactJson("1e999"), null],
    [exactJson("123456789012345678"), "Numeric"],
    [exactJson("[123456789012345678]"), "String"],
    [true, "Boolean"],
    [false, "Boolean"],
    ["12", "String"],
    ["true", "String"],
    ["", null],
    [null, null],
    [undefined, null],
    [{ at: 1 }, "String"],
    [[], "String"],
    ["2026-01-31", "DateTime"],
    ["2026-1-31", "String"],
    ["2026-01-3", "String"],
    ["2026-01-31T23:59:59Z", "DateTime"],
    ["2026-01-31 23:59:59.123", "DateTime"],
    ["2026-01-31T23:59:59.123456789+00:00", "DateTime"],
    ["2026-01-31T23:59:59.1234567890+00:00", "String"],
    ["2026-13-01", "String"],
    ["2026-02-28", "DateTime"],
    ["2026-02-29", "String"],
    ["2024-02-29", "DateTime"],
    ["2026-04-31", "String"],
    ["2026/01-31", "String"],
    ["2026-01/31", "String"],
    ["2026-01-31T24:00:00Z", "String"],
    ["a sentence that is long enough", "String"],
  ])("%j speaks for %s", (value, type) => {
    expect(typeOfValue(value)).toBe(type);
  });

  it.each([
    ["utm_source", true],
    ["$initial_utm_source", true],
    ["$feature/new-page", true],
    ["$feature_flag_response", true],
    ["$survey_response_2", true],
    ["$group_0", true],
    ["$group_12", false],
    ["not_utm_source", false],
    ["$feature", false],
  ])("of %s is text whatever its values are: %s", (name, isText) => {
    expect(isAlwaysText(name)).toBe(isText);
  });
});
