import fc from "fast-check";
import { expect, it } from "vitest";
import { holdsBigInteger } from "../../../lib/core/exact-json.ts";

/** By the language's own reader, which hands out each value with its text. */
const isBigIn = (json: string): boolean => {
  let found = false;
  JSON.parse(json, (_, value: unknown, of?: { readonly source?: string }) => {
    const source = of?.source ?? "";
    if (typeof value === "number" && /^-?\d+$/.test(source)) {
      const whole = BigInt(source);
      found ||= BigInt.asIntN(64, whole) !== whole && BigInt.asUintN(64, whole) !== whole;
    }
    return value;
  });
  return found;
};

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((all) => all.join("").replace(/^0+(?=\d)/, ""));
const near = (border: bigint) => fc.bigInt({ min: -3n, max: 3n }).map((off) => String(border + off));
const number = fc.oneof(
  near(2n ** 63n),
  near(-(2n ** 63n)),
  near(2n ** 64n),
  fc.tuple(fc.constantFrom("", "-"), digits(1, 40)).map((parts) => parts.join("")),
  fc.tuple(digits(1, 30), digits(1, 30), fc.constantFrom("", "e5", "E-12", "e+20")).map(([a, b, e]) => `${a}.${b}${e}`),
  fc.tuple(digits(18, 21), fc.constantFrom("e5", "E-12", "e+20")).map((parts) => parts.join("")),
);
const text = fc.oneof(
  number.map((inside) => JSON.stringify(inside)),
  fc
    .tuple(fc.constantFrom(":", "\\", '"', ',"', "[", " "), number, fc.constantFrom("", "]", '"', "\\"))
    .map((parts) => JSON.stringify(parts.join(""))),
  fc.string().map((any) => JSON.stringify(any)),
);
const space = fc.constantFrom("", "", "", " ", "\n\t ");

const { document } = fc.letrec<{ value: string; document: string }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, number, text, fc.constantFrom("true", "null", "{}", "[]"), tie("document")),
  document: fc.oneof(
    fc
      .uniqueArray(fc.tuple(space, text, space, tie("value"), space), { maxLength: 5, selector: ([, name]) => JSON.parse(name) })
      .map((all) => `{${all.map(([a, name, b, value, c]) => `${a}${name}${b}:${value}${c}`).join(",")}}`),
    fc.array(fc.tuple(space, tie("value"), space), { maxLength: 5 }).map((all) => `[${all.map((parts) => parts.join("")).join(",")}]`),
  ),
}));

it("whole numbers beyond 64 bits are found in every document that has one, and in no other", () => {
  fc.assert(
    fc.property(document, (json) => {
      expect(holdsBigInteger(json)).toBe(isBigIn(json));
    }),
    { numRuns: 5_000 },
  );
});
