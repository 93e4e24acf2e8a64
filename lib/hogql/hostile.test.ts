import { describe, expect, it } from "vitest";
import type { Ast } from "./ast.ts";
import { QueryError } from "./errors.ts";
import { lower } from "./lower.ts";
import { parse } from "./parse.ts";

/** How lowering ends. What grows without bound would not end within the time of a test. */
const ending = async (text: string, options: { readonly timezone?: string; readonly variables?: Record<string, unknown> } = {}) => {
  try {
    lowered(await parse(text), options);
    return "lowered";
  } catch (error) {
    return error instanceof QueryError ? error.code : String(error);
  }
};

const lowered = (ast: Ast, { timezone = "UTC", variables = {} }: Parameters<typeof ending>[1] = {}) =>
  lower(ast, { project: 1, timezone, now: Date.UTC(2026, 0, 1), variables, page: null });

const steps = (count: number, step: (at: number) => string): string => Array.from({ length: count }, (_, at) => step(at)).join(", ");

describe("a query made to grow while it is lowered ends in an answer or an error", () => {
  it.each([
    ["aliases that double", `SELECT toInt(event) AS a0, ${steps(60, (at) => `a${at} + a${at} AS a${at + 1}`)} FROM events`, "too_complex"],
    ["aliases that double a constant", `SELECT 1 AS a0, ${steps(60, (at) => `a${at} - a${at} AS a${at + 1}`)}`, "lowered"],
    ["named values that double", `WITH 1 AS a0, ${steps(60, (at) => `a${at} - a${at} AS a${at + 1}`)} SELECT a60`, "lowered"],
    [
      "CTEs that double",
      `WITH t0 AS (SELECT 1 AS x), ${steps(40, (at) => `t${at + 1} AS (SELECT a.x FROM t${at} a CROSS JOIN t${at} b)`)} SELECT x FROM t40`,
      "too_complex",
    ],
    ["texts that triple", `SELECT ${"toString(toFloat(".repeat(20)}event${"))".repeat(20)} FROM events`, "too_complex"],
    ["a long chain of aliases", `SELECT ${steps(320, (at) => `a${at + 1} || 'x' AS a${at}`)}, event AS a320 FROM events`, "too_complex"],
    ["a value that names itself", "WITH a + 1 AS a SELECT a", "unknown_field"],
    ["aliases that name each other", "SELECT b AS a, a AS b", "unknown_field"],
  ])("%s", async (_, text, code) => {
    expect(await ending(text)).toBe(code);
  });

  it.each([
    "SELECT toDate('2026-01-01') + 9007199254740991",
    "SELECT toDateTime(9007199254740991)",
    "SELECT toStartOfMonth(fromUnixTimestamp64Milli(9007199254740991))",
    "SELECT now() - INTERVAL 999999999999 MONTH",
    "SELECT toDecimal(1, 99), toDecimal(1, -1)",
    "SELECT count() FROM events WHERE timestamp > toDateTime(9007199254740991)",
    "SELECT sum(1) OVER (ORDER BY event ROWS BETWEEN 1e300 PRECEDING AND CURRENT ROW) FROM events",
  ])("%s is out of range, in every zone", async (text) => {
    for (const timezone of ["UTC", "America/New_York"]) {
      const code = await ending(text, { timezone });
      expect(["lowered", "invalid_input", "unsupported"]).toContain(code);
    }
  });

  it("does not list the zone's changes of ten thousand years", async () => {
    const within = (from: string, to: string) =>
      `SELECT toStartOfDay(timestamp) AS day, count() FROM events WHERE timestamp >= '${from}' AND timestamp < '${to}' GROUP BY day`;
    const sizeOf = async (text: string) => lowered(await parse(text), { timezone: "Europe/Berlin" }).lowered.sql.length;
    expect(await sizeOf(within("0002-01-01", "9998-01-01"))).toBeLessThanOrEqual(await sizeOf(within("1900-01-01", "2100-01-01")));
  });

  it("takes no list without end", async () =>
    expect(
      await ending("SELECT count() FROM events WHERE event IN {variables.l}", {
        variables: { l: Array.from({ length: 20_000 }, String) },
      }),
    ).toBe("too_complex"));
});
