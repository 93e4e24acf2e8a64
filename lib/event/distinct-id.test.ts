import { describe, expect, it } from "vitest";
import { idText, readDistinctId, storableText } from "./identity.ts";

describe("the distinct_id of an event", () => {
  it.each<[unknown, unknown, unknown, string | null]>([
    ["top", "dollar", "property", "top"],
    [undefined, "dollar", "property", "dollar"],
    [null, "dollar", "property", "dollar"],
    ["", "dollar", "property", "dollar"],
    [Infinity, "dollar", "property", "dollar"],
    [0, "dollar", "property", "0"],
    [false, undefined, undefined, "false"],
    ["", "", "property", "property"],
    [undefined, null, "property", "property"],
    [undefined, undefined, undefined, null],
    ["", null, -Infinity, null],
  ])("is that of %j, %j and %j which comes first and says something", (distinct_id, $distinct_id, property, id) => {
    expect(readDistinctId({ event: "e", distinct_id, $distinct_id, properties: { distinct_id: property } })).toBe(id);
  });

  it("is missing where there are no properties either", () => expect(readDistinctId({ event: "e" })).toBeNull());
});

it("an id that is no text is its JSON with sorted keys", () => {
  expect([idText({ b: 1, a: [2] }), idText(null), idText(undefined)]).toEqual(['{"a":[2],"b":1}', null, null]);
});

it.each([
  ["a\0b\0", "a\uFFFDb\uFFFD"],
  ["a\uD800b", "a\uFFFDb"],
  ["x".repeat(200), "x".repeat(200)],
  ["x".repeat(201), "x".repeat(200)],
  ["\u{1F600}".repeat(150), "\u{1F600}".repeat(150)],
  [`${"\u{1F600}".repeat(200)}x`, "\u{1F600}".repeat(200)],
])("a name is stored well-formed and within 200 characters (%#)", (text, stored) => {
  expect(storableText(text)).toBe(stored);
});
