import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { beyondBounds, jsonFault, notJson } from "./json-scan.ts";

/** What the language's own parser says of a text: undefined where it takes it, else the place, where its message has one. */
const parserOn = (text: string): { readonly place: number | undefined } | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (thrown) {
    const [, place] = / at position (\d+)/.exec(String(thrown)) ?? [];
    return { place: place === undefined ? (/Unexpected end/.test(String(thrown)) ? text.length : undefined) : Number(place) };
  }
};

test.each([
  ["", "is not valid JSON, it ends too early (line 1, column 1)"],
  ['{"a": 1', "is not valid JSON, it ends too early (line 1, column 8)"],
  ['{"a": "b', "is not valid JSON, it ends too early (line 1, column 9)"],
  ['{"a": 1,}', "is not valid JSON (line 1, column 9)"],
  ["{'a': 1}", "is not valid JSON (line 1, column 2)"],
  ['{"a": secret}', "is not valid JSON (line 1, column 7)"],
  ['{\n  "a": 1\n  "b": 2\n}', "is not valid JSON (line 3, column 3)"],
  ['[1, 2] "more"', "is not valid JSON (line 1, column 8)"],
  ["[1}", "is not valid JSON (line 1, column 3)"],
  ['"a\nb"', "is not valid JSON (line 1, column 3)"],
  ["\uFEFF{}", "is not valid JSON (line 1, column 1)"],
])("of %j is said: it %s", (text, said) => {
  expect(notJson(text)).toBe(said);
});

it("does not look through a text of megabytes", () => {
  expect(notJson(`["${"a".repeat(1_000_000)}",]`)).toBe("is not valid JSON");
});

it("takes a text that is nested a million deep", () => {
  expect(jsonFault("[".repeat(1_000_000))).toMatchObject({ offset: 1_000_000, isEnd: true });
});

describe("the place", () => {
  const pieces = fc.constantFrom(..."{}[],:\"\\ \n\t0-1.eE+untrfalse'/\u0001é", "true", "null", '"a"', "\\u00e9", "1.5e3", '"k":');
  const broken = fc.tuple(fc.json(), fc.nat(), fc.nat(3), fc.array(pieces, { maxLength: 3 })).map(([json, place, removed, put]) => {
    const at = place % (json.length + 1);
    return json.slice(0, at) + put.join("") + json.slice(at + removed);
  });
  it("is there for exactly the texts that the language's parser refuses, and where that says it", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          broken,
          fc.array(pieces).map((each) => each.join("")),
        ),
        (text) => {
          const refused = parserOn(text);
          const fault = jsonFault(text);
          expect(fault === undefined).toBe(refused === undefined);
          // The parser counts what is wrong with an escape, a number or a word from within it.
          if (refused?.place !== undefined && !/\\.{0,5}$|[-+.\w]$/s.test(text.slice(0, refused.place)))
            expect(fault?.offset).toBe(refused.place);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("the bounds", () => {
  const scan = (text: string, maxDepth = 3, maxValues = 10) => beyondBounds(Buffer.from(text), { maxDepth, maxValues });

  test.each([
    ["[[[]]]", undefined],
    ["[[[[", "depth"],
    ['"[[[["', undefined],
    ['{"a\\"[[[[":1}', undefined],
    ['{"a\\\\":[[[', "depth"],
    ["[[[]],[[]],[[]]]", undefined],
    [`[${"1,".repeat(9)}1]`, undefined],
    [`[${"1,".repeat(10)}1]`, "values"],
    ['"never ends', undefined],
    ["]]]]", undefined],
    ["", undefined],
  ])("%s", (text, beyond) => {
    expect(scan(text)).toBe(beyond);
  });

  test("counts what the parsed value holds, whatever strings it contains", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const depth = depthOf(value);
        const text = JSON.stringify(value);
        expect(scan(text, depth, Number.POSITIVE_INFINITY)).toBeUndefined();
        if (depth > 0) expect(scan(text, depth - 1, Number.POSITIVE_INFINITY)).toBe("depth");
      }),
    );
  });

  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
});
