import fc from "fast-check";
import { expect, test } from "vitest";
import { beyondBounds } from "./json-bounds.ts";

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
