import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { malformedText } from "./malformed-text.ts";

const LONE = "a\ud800b";

describe("half a surrogate pair in a JSON value", () => {
  it.each([
    [LONE, []],
    [{ a: { b: ["x", LONE] } }, ["a", "b", 1]],
    [{ a: { [LONE]: 1 } }, ["a", "a\ufffdb"]],
    [
      [[[]], { a: "\udc00" }],
      [1, "a"],
    ],
  ])("%j is found where it stands", (value, way) => {
    expect(malformedText(value)).toEqual(way);
  });
  it("is found in no value of whole characters, however deep", () => {
    void fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(malformedText(value)).toBeNull();
      }),
    );
    let deep: unknown = "\u{1F600}";
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(malformedText(deep)).toBeNull();
  });
});
