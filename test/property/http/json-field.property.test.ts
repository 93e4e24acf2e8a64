import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textField } from "../../../lib/core/json-scan.ts";

const NAME = "key";
const MOST = 1_000;
const inJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, null, 1));

describe("a text field of a JSON object", () => {
  it("is what a parser would give, for any object", () => {
    const names = fc.oneof(fc.constant(NAME), fc.string({ maxLength: 4 }));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie("value")),
        fc.dictionary(names, tie("value")),
      ),
    }));
    void fc.assert(
      fc.property(fc.dictionary(names, value), (object) => {
        const wanted = Object.hasOwn(object, NAME) ? object[NAME] : undefined;
        expect(textField(inJson(object), NAME, MOST)).toEqual(typeof wanted === "string" ? wanted : undefined);
      }),
    );
  });

  it.each([
    ['{"a": {"key": "no"}, "b": ["key", "no"]}', undefined],
    ['["key", "no"]', undefined],
    ['{"other": "key", "key": "yes"}', "yes"],
    ['{"key": "first", "key": "last"}', "last"],
    ['{"a": "\\\\\\"", "key": "\\u0041\\""}', 'A"'],
    ['{"key": {"key": "no"}}', undefined],
    ['{"key": "it ends', undefined],
    ["", undefined],
  ])("of %s", (json, text) => {
    expect(textField(Buffer.from(json), NAME, MOST)).toBe(text);
  });
});
