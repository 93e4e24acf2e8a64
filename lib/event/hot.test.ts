import { describe, expect, it } from "vitest";
import { hotValues } from "./hot.ts";
import { HOT } from "./hot-properties.ts";

describe("a property with a column of its own", () => {
  it.each(HOT)("has one that is named after it, so that other engines find it: $property", ({ property, column }) => {
    expect(column).toBe(`hot_${property.replace("$", "")}`);
  });

  it.each(HOT)("keeps texts there, an amount of money or of tokens its number: $property", ({ property, column }) => {
    const kept = ["some text", 1.5].map((value) => hotValues({ [property]: value })[HOT.findIndex((hot) => hot.property === property)]);
    expect(kept).toEqual(/_usd$|_tokens$/.test(column) ? [null, 1.5] : ["some text", "1.5"]);
  });
});
