import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, canonicalJsonWithoutNulls } from "./canonical-json.ts";
import { exactJson } from "./exact-json.ts";

it("gives equal text for equal JSON, whatever the order of its names, and for no other", () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, entry]) => [name, reversed(entry)]),
    );
  };
  void fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(canonicalJson(reversed(one))).toBe(canonicalJson(one));
      expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(one)));
      if (canonicalJson(one) === canonicalJson(other)) expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(other)));
    }),
  );
});

it("calls nothing of the value, leaves out what is undefined, and nulls only where they are as good as absent", () => {
  expect(canonicalJson({ toString: 0, toJSON: 1 })).toBe('{"toJSON":1,"toString":0}');
  expect(canonicalJson({ b: undefined, a: null })).toBe('{"a":null}');
  expect(canonicalJsonWithoutNulls({ b: [null], a: null })).toBe('{"b":[null]}');
});

it("tells numbers apart to their last digit, and gives a double the text that it always had", () => {
  expect(canonicalJson(exactJson('{"b":[9007199254740993],"a":9007199254740992.0}'))).toBe('{"a":9007199254740992,"b":[9007199254740993]}');
});
