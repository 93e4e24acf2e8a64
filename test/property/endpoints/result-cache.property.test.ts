import * as fc from "fast-check";
import { expect, it } from "vitest";
import { jsonDigest } from "../../../lib/core/canonical-json.ts";

/** Values that an encoding is likely to mix up. */
const tricky = fc.constantFrom<unknown>(
  null,
  ["null"],
  [null],
  [["null"]],
  "null",
  {},
  [],
  "",
  "[]",
  { a: null },
  { a: "null" },
  0,
  "0",
  false,
);
const value = fc.oneof(tricky, fc.jsonValue(), fc.array(tricky, { maxLength: 3 }), fc.dictionary(fc.string(), tricky, { maxKeys: 3 }));

/** As JSON knows it: there -0 is 0. */
const known = (json: unknown): unknown => JSON.parse(JSON.stringify(json));
const isSame = (a: unknown, b: unknown): boolean => {
  try {
    expect(known(a)).toStrictEqual(known(b));
    return true;
  } catch {
    return false;
  }
};

it("only equal variables share the name of a kept result", () => {
  void fc.assert(
    fc.property(value, value, (a, b) => {
      expect(jsonDigest(a) === jsonDigest(b)).toBe(isSame(a, b));
    }),
    { numRuns: 2_000 },
  );
});
