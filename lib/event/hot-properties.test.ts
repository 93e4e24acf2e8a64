import { describe, expect, it } from "vitest";
import { HOT, hotValues, jsonText, propertyNumber, propertyText } from "./hot-properties.ts";

describe("a property with a column of its own", () => {
  it.each(HOT)("has one that is named after it, so that other engines find it: $property", ({ property, column }) => {
    expect(column).toBe(`hot_${property.replace("$", "")}`);
  });

  it.each(HOT)("keeps texts there, an amount of money or of tokens its number: $property", ({ property, column }) => {
    const kept = ["some text", 1.5].map((value) => hotValues({ [property]: value })[HOT.findIndex((hot) => hot.property === property)]);
    expect(kept).toEqual(/_usd$|_tokens$/.test(column) ? [null, 1.5] : ["some text", "1.5"]);
  });

  it("has one value for each column, and none where there is no finite number", () => {
    expect(hotValues({})).toEqual(HOT.map(() => null));
    const all = hotValues(Object.fromEntries(HOT.map(({ property, type }) => [property, type === "text" ? "x" : Infinity])));
    expect(all).toEqual(HOT.map(({ type }) => (type === "text" ? "x" : null)));
  });

  it.each<[unknown, string | null]>([
    ["x", "x"],
    ["", null],
    ["a\uD800", "a\uFFFD"],
    [1.5, "1.5"],
    [0, "0"],
    [true, "true"],
    [false, "false"],
    [Number.NaN, null],
    [Infinity, null],
    [-Infinity, null],
    [null, null],
    [undefined, null],
    [{ a: 1 }, '{"a":1}'],
  ])("is read as the text that stands for it: %j", (value, text) => expect(propertyText(value)).toBe(text));
});

it.each<[unknown, number | null]>([
  [0.25, 0.25],
  ["0.25", 0.25],
  [" -1.5e-3\n", -0.0015],
  [".5", 0.5],
  ["1.", 1],
  ["", null],
  ["free", null],
  ["0x10", null],
  ["1_0", null],
  ["\u00A01", null],
  ["1e400", null],
  ["Infinity", null],
  [Infinity, null],
  [true, null],
  [[0.25], null],
  [null, null],
])("is read as the number that it is or that its text is: %j", (value, number) => expect(propertyNumber(value)).toBe(number));

it.each<[object, string]>([
  [{ a: 1, b: [null, true] }, '{"a":1,"b":[null,true]}'],
  [
    { a: "\uD800", n: 5, none: null, list: ["\uDC00", { "\uD800": 1 }, 2] },
    '{"a":"\uFFFD","n":5,"none":null,"list":["\uFFFD",{"\uFFFD":1},2]}',
  ],
  [{ a: "\\ud800" }, '{"a":"\\\\ud800"}'],
])("lone halves of surrogate pairs are replaced wherever they stand in a value, and nothing else (%#)", (value, text) => {
  expect(jsonText(value)).toBe(text);
});
