import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { ApiError } from "../../../lib/http/errors.ts";
import { boolean, datetime, integer, text, uuid } from "../../../lib/http/fields.ts";
import { checkBody, checkQuery } from "../../../lib/http/input/check.ts";

/** One schema with every kind of rule that routes use, nested and not. */
const Everything = z.strictObject({
  text: text({ max: 5 }).optional(),
  integer: integer({ min: 0, max: 9 }).optional(),
  boolean: boolean().optional(),
  datetime: datetime().optional(),
  uuid: uuid().optional(),
  choice: z.enum(["a", "b"]).optional(),
  literal: z.literal(3).optional(),
  list: z
    .array(z.object({ n: z.int().positive() }))
    .min(1)
    .max(3)
    .optional(),
  record: z.record(z.string().max(3), z.number().lt(5).multipleOf(2)).optional(),
  union: z.union([z.object({ kind: z.literal("x"), x: z.string() }), z.array(z.string())]).optional(),
  tagged: z
    .discriminatedUnion("kind", [z.object({ kind: z.literal("p"), p: z.email() }), z.object({ kind: z.literal("q"), q: z.url() })])
    .optional(),
  tuple: z.tuple([z.string(), z.number()]).optional(),
  date: z.iso.date().optional(),
  ruled: z
    .object({ from: z.number(), to: z.number() })
    .refine(({ from, to }) => from <= to, { message: "from comes after to" })
    .optional(),
  pattern: z.string().regex(/^a+$/).optional(),
  json: z.json().optional(),
});

const TYPES = new Set(["validation_error", "invalid_request"]);
const CODES = new Set(
  "required null blank empty max_length min_length max_value min_value invalid_choice invalid_input not_a_list not_a_dict parse_error".split(
    " ",
  ),
);

/** Values that come near to fitting, so that the rules behind the types are reached too. */
const near = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    "",
    "a",
    "aaaaaaa",
    "5",
    "true",
    5,
    -1,
    1e30,
    1.5,
    null,
    [],
    {},
    [{ n: 0 }],
    [{}],
    { kind: "x" },
    { kind: "p", p: "no" },
    { kind: "zz" },
    ["a"],
    ["a", "b"],
    { from: 2, to: 1 },
    { from: 1 },
    { abcd: 1 },
    { a: 7 },
    { a: 3 },
  ),
);
const body = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...Object.keys(Everything.shape), "unknown"), near, { maxKeys: 3 }));

for (const style of ["fields", "parse", "dotted"] as const) {
  test(`whatever a body holds, it fits or is answered 400 in the contract's words (${style})`, () => {
    fc.assert(
      fc.property(body, (value) => {
        try {
          checkBody(Everything, { kind: "json", value }, "POST", style);
        } catch (thrown) {
          expectContract(thrown);
        }
      }),
      { numRuns: 2_000 },
    );
  });
}

test("whatever a query or form holds, it fits or is answered 400 in the contract's words", () => {
  const pairs = fc.dictionary(fc.constantFrom(...Object.keys(Everything.shape)), fc.string(), { maxKeys: 3 });
  fc.assert(
    fc.property(pairs, (query) => {
      for (const check of [
        () => checkQuery(Everything, query),
        () => checkBody(Everything, { kind: "form", values: new Map(Object.entries(query).map(([k, v]) => [k, [v]])) }, "POST", "fields"),
      ]) {
        try {
          check();
        } catch (thrown) {
          expectContract(thrown);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

const expectContract = (thrown: unknown): void => {
  if (!(thrown instanceof ApiError)) throw thrown;
  const { type, code, detail, attr, ...rest } = z.record(z.string(), z.unknown()).parse(thrown.body);
  expect(thrown.status).toBe(400);
  expect(rest).toEqual({});
  expect(TYPES).toContain(type);
  expect(CODES).toContain(code);
  expect(String(detail)).not.toBe("");
  // Zod's own words are no words of the contract.
  expect(String(detail)).not.toMatch(/Invalid input|Too (small|big)|: expected/);
  expect(attr === null || typeof attr === "string").toBe(true);
};
