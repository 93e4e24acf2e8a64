import { describe, expect, it } from "vitest";
import type { Ast } from "../../lib/hogql/ast.ts";
import { QueryError } from "../../lib/hogql/errors.ts";
import { check, lower } from "../../lib/hogql/lower.ts";
import { parse } from "../../lib/hogql/parse.ts";
import { processorCostOf, withinReason } from "./cost.ts";

const list = (count: number, part: (at: number) => string, between = ", "): string =>
  Array.from({ length: count }, (_, at) => part(at)).join(between);

const lowered = (ast: Ast): void => {
  const options = { timezone: "Europe/Berlin" };
  for (const lowering of [() => check(ast, options), () => lower(ast, { ...options, project: 1, now: 0, variables: {}, page: null })]) {
    try {
      lowering();
    } catch (error) {
      expect(error).toBeInstanceOf(QueryError);
    }
  }
};

/** Shapes that fit what may be parsed, each as large as that lets them be. */
const SHAPES: readonly (readonly [string, string])[] = [
  ["a long order", `SELECT event FROM events ORDER BY ${list(600, (at) => `event || '${at}'`)}`],
  ["an order by aliases", `SELECT ${list(300, (at) => `event || '${at}' AS c${at}`)} FROM events ORDER BY ${list(300, (at) => `c${at}`)}`],
  [
    "groups by expressions",
    `SELECT ${list(300, (at) => `event || '${at}'`)} FROM events GROUP BY ${list(300, (at) => `event || '${at}'`)}`,
  ],
  [
    "aliases in conditions",
    `SELECT ${list(200, (at) => `event AS a${at}`)} FROM events WHERE ${list(200, (at) => `a${at} = ''`, " AND ")}`,
  ],
  ["properties", `SELECT ${list(300, (at) => `properties.p${at}`)} FROM events`],
  ["all columns again and again", `SELECT ${list(400, () => "*")} FROM events`],
  [
    "all columns of joined columns",
    `SELECT * FROM (SELECT ${list(300, (at) => `1 AS c${at}`)}) a CROSS JOIN (SELECT ${list(300, (at) => `1 AS d${at}`)}) b`,
  ],
  ["columns of a CTE", `WITH a AS (SELECT ${list(250, (at) => `1 AS c${at}`)}) SELECT ${list(250, (at) => `c${at}`)} FROM a`],
  [
    "a join on many columns",
    `SELECT * FROM (SELECT ${list(200, (at) => `1 AS c${at}`)}) a JOIN (SELECT ${list(200, (at) => `1 AS c${at}`)}) b USING (${list(200, (at) => `c${at}`)})`,
  ],
  ["a long list", `SELECT event IN (${list(1_500, (at) => `'${at}'`)}) FROM events`],
  ["many arguments", `SELECT concat(${list(700, () => "event")}) FROM events`],
  ["many branches", `SELECT multiIf(${list(400, (at) => `event = '${at}'`)}, 1) FROM events`],
  ["subqueries in subqueries", `${"SELECT * FROM (".repeat(22)}SELECT * FROM events${")".repeat(22)}`],
  ["calls in calls", `SELECT ${"toFloatOrZero(toString(".repeat(11)}event${"))".repeat(11)} FROM events`],
  ["lambdas in lambdas", `SELECT ${"arrayMap(x -> ".repeat(9)}x${", [1])".repeat(9)} FROM events`],
  ["a format of one value", `SELECT format('${"{0}".repeat(30_000)}', event) FROM events`],
  ["a format of dates", `SELECT formatDateTime(timestamp, '${"%Y".repeat(45_000)}') FROM events`],
  ["a sequence", `SELECT sequenceMatch('${"(?1).*".repeat(2_000)}')(timestamp, event = 'a') FROM events`],
  ["a path in JSON", `SELECT JSONExtractString(properties, ${list(700, () => "'a'")}) FROM events`],
  ["a type's name", `SELECT CAST(event, 'a${" ".repeat(90_000)}x') FROM events`],
  ["a time's text", `SELECT count() FROM events WHERE timestamp > '2026-01-01${" ".repeat(90_000)}x'`],
  [
    "a chain of CTEs, each with all columns of the one before",
    `WITH c0 AS (SELECT ${list(600, (at) => `1 AS c${at}`)}), ${list(120, (at) => `c${at + 1} AS (SELECT * FROM c${at} WHERE c1 = 1)`)} SELECT * FROM c120`,
  ],
  [
    "a CTE of many columns, used again and again",
    `WITH c AS (SELECT ${list(700, (at) => `1 AS c${at}`)}) ${list(120, () => "SELECT * FROM c", " UNION ALL ")}`,
  ],
  ["patterns with repetitions that are written out", `SELECT ${list(9, () => `match(event, '${"a{1000}".repeat(1_300)}')`)} FROM events`],
  ["patterns of letters of any script", `SELECT ${list(9, () => `match(event, '(?i)${"[^\\\\pL]".repeat(1_400)}')`)} FROM events`],
  ["patterns of wide ranges in any case", `SELECT ${list(9, () => `match(event, '(?i)${"[a-\\\\x{ffff}]".repeat(700)}')`)} FROM events`],
  ["a union of many", list(200, () => "SELECT 1, 2, 3", " UNION ALL ")],
];

describe("lowering costs what the size of the query costs", () => {
  it.each(SHAPES)("%s", async (_name, text) => {
    const ast = await parse(text);
    const harmless = await parse(`SELECT ${list(300, (at) => `event = '${at}${"a".repeat(Math.ceil(text.length / 400))}'`)} FROM events`);
    const cost = await processorCostOf(() => lowered(ast));
    expect(await withinReason(cost, await processorCostOf(() => lowered(harmless)))).toBe(true);
  });
});
