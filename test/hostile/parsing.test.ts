import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { parse, parseExpression } from "../../lib/hogql/parse.ts";
import { guardText } from "../../lib/hogql/syntax/guard-text.ts";
import { costOf, costsWithinReason } from "./cost.ts";

const times = (count: number, part: (at: number) => string): string => Array.from({ length: count }, (_, at) => part(at)).join("");

const tree = (depth: number): string => (depth === 0 ? "a" : `func(${tree(depth - 1)}, ${tree(depth - 1)})`);

/** Small texts that would keep the parser busy for seconds to hours, and what becomes of them on every machine. */
const ATTACKS: readonly (readonly [string, string, string])[] = [
  ["chained lambdas", `${times(60, () => "x->")}1`, "too_complex"],
  ["lambdas of several arguments", `${times(40, (at) => `(x${at}, y) -> `)}1`, "too_complex"],
  ["calls in calls", `${times(40, () => "f(")}1${times(40, () => ")")}`, "too_complex"],
  ["branches in branches", `${times(300, () => "a ? b : ")}1`, "too_complex"],
  ["denials", `${times(80, () => "not ")}1`, "too_complex"],
  ["calls of what calls gave", `a${times(1_900, () => ".b(1)")}`, "query_too_large"],
  ["lists in lists of calls that each name what they give", `f(${times(300, (at) => `g(f(h(x))) as b${at}, `)}1)`, "query_too_large"],
  ["calls in templates", `[${times(200, () => "f'{f(f(f(f(1))))}', ")}1]`, "query_too_large"],
  ["CASEs in CASEs", `[${times(60, () => `${times(20, () => "case when a then ")}1${times(20, () => " end")}, `)}1]`, "query_too_large"],
  ["runs of denials", `[${times(60, () => `${times(20, () => "not ")}a, `)}1]`, "query_too_large"],
  ["more words than are read soon", `[${times(3_000, () => "a, ")}1]`, "query_too_large"],
  ["intervals of intervals", `${times(3_000, () => "interval ")}1 day`, "query_too_large"],
];

/** Texts that took the parser long before they were read in pieces. */
const DEEP: readonly (readonly [string, string])[] = [
  ["calls in calls", `${times(22, () => "func(")}1${times(22, () => ")")}`],
  ["calls of lambdas", `${times(11, (at) => `func(x${at} -> `)}1${times(11, () => ")")}`],
  ["maps of maps", `${times(8, () => "arrayMap(x -> ")}[1]${times(8, () => ", [1])")}`],
  ["casts of casts", `${times(22, () => "cast(")}1${times(22, () => " as int)")}`],
  ["queries in queries", `${times(22, () => "(select ")}1${times(22, () => ")")}`],
  ["a tree of calls", tree(6)],
];

describe("a text that would keep the parser busy", () => {
  it.each(ATTACKS)("%s: is refused by what is counted before it is parsed", async (_name, text, code) => {
    await expect(parseExpression(text)).rejects.toMatchObject({ name: "QueryError", code });
  });

  it.each(DEEP)("%s: is read in pieces", async (_name, text) => {
    expect(await parseExpression(text)).toBeTypeOf("object");
  });

  it("keeps nobody else waiting: it has a thread of its own", async () => {
    await parseExpression("1");
    let isRead = false;
    const read = parseExpression(`[${times(2_000, () => "a, ")}1]`).then(() => {
      isRead = true;
    });
    await pause(1);
    expect(isRead).toBe(false);
    await read;
  });

  it("goes on with what waits behind it", async () => {
    const results = await Promise.allSettled([parseExpression(ATTACKS[2]?.[1] ?? ""), parseExpression("a + 1"), parse("SELECT 2")]);
    expect(results.map(({ status }) => status).slice(1)).toEqual(["fulfilled", "fulfilled"]);
  });
});

describe("a text that is looked through before it is parsed", () => {
  it.each([
    ["backslashes that stay in it", `SELECT match(event, '${times(45_000, () => "\\d")}')`],
    ["extractions", `SELECT ${times(1_200, () => "EXTRACT(YEAR FROM timestamp) + ")}1`],
    ["quotes in quotes", `SELECT '${times(45_000, () => "''")}'`],
    ["comments", `SELECT ${times(19_000, () => "/**/ ")}1`],
  ])("costs what a plain one of its length costs: %s", async (_name, text) => {
    const plain = `SELECT match(event, '${"a".repeat(text.length)}')`.slice(0, 99_000);
    expect(await costsWithinReason(() => guardText(text), await costOf(() => guardText(plain)))).toBe(true);
  });
});

describe("what is written by people", () => {
  it.each([
    "arrayMap(x -> arrayFilter(y -> y > x, arrayMap(z -> z + x, [1, 2])), [3])",
    `multiIf(${times(200, (at) => `a = ${at}, ${at}, `)}0)`,
    "a ? b : c ? d : e ?? f",
    `coalesce(${times(100, () => "arrayMap(x -> x, [1]), ")}[])`,
  ])("is parsed", async (text) => {
    expect(await parseExpression(text)).toBeTypeOf("object");
  });
});
