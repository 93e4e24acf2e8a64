import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ast } from "../../../lib/hogql/ast.ts";
import { lower } from "../../../lib/hogql/lower.ts";
import { parse } from "../../../lib/hogql/parse.ts";

const TEXT =
  "SELECT properties.plan, {variables.a}, concat({variables.a}, 'x'), {variables.b} FROM events WHERE event = {variables.a} AND distinct_id IN {variables.c} AND properties.x LIKE {variables.a} AND match({variables.a}, '^x+') LIMIT 7";

const lowered = (ast: Ast, variables: Readonly<Record<string, unknown>>) =>
  lower(ast, { project: 1, timezone: "UTC", now: 0, variables, page: null }).lowered;

/** Numbers of the parameters aside, which depend on which values are equal. */
const shape = (sql: string): string => sql.replaceAll(/\$\d+/g, "$n");

describe("a value of a tenant", () => {
  it("never gets into the SQL text", async () => {
    const ast = await parse(TEXT);
    const plain = shape(lowered(ast, { a: "a", b: "b", c: ["c"] }).sql);
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("'", "$1", "$1$", "@0@", "\\", "--", "';", "%", "NULL", "\0"),
    );
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const { sql, parameters } = lowered(ast, { a, b, c: [c] });
        expect(shape(sql).replaceAll(" ESCAPE '\\'", "")).toBe(plain);
        expect(parameters).toContain(a);
        expect(parameters).toContain(c);
      }),
      { numRuns: 120 },
    );
  });

  it("keeps each parameter numbered by its place", async () => {
    const ast = await parse(TEXT);
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const { sql, parameters } = lowered(ast, { a, b, c: [a, b, "z"] });
        const used = new Set([...sql.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
        expect([...used].sort((x, y) => x - y)).toEqual(parameters.map((_, index) => index + 1));
      }),
      { numRuns: 100 },
    );
  });
});
