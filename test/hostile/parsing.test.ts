import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { guardText } from "../../lib/hogql/syntax/guard-text.ts";
import { parse, parseExpression } from "../../lib/hogql/syntax/parse.ts";
import { costOf, withinReason } from "./cost.ts";

const times = (count: number, part: (at: number) => string): string => Array.from({ length: count }, (_, at) => part(at)).join("");

/** Small texts that would keep the parser busy for seconds to hours. */
const ATTACKS: readonly (readonly [string, string])[] = [
  ["chained lambdas", `${times(60, () => "x->")}1`],
  ["lambdas of several arguments", `${times(40, (at) => `(x${at}, y) -> `)}1`],
  ["calls of lambdas", `${times(23, (at) => `f(x${at} -> `)}1${times(23, () => ")")}`],
  ["calls in calls", `${times(40, () => "f(")}1${times(40, () => ")")}`],
  ["columns of columns", `${times(23, () => "columns(")}'a'${times(23, () => ")")}`],
  ["branches in branches", `${times(300, () => "a ? b : ")}1`],
  ["denials", `${times(80, () => "not ")}1`],
  ["templates in templates", `${times(300, () => "f'{")}1${times(300, () => "}'")}`],
  ["intervals of intervals", `${times(3_000, () => "interval ")}1 day`],
  ["calls of what calls gave", `a${times(2_000, () => ".b(1)")}`],
  ["aliases of aliases", `a${times(3_000, (at) => ` as b${at}`)}`],
];

describe("a text that would keep the parser busy", () => {
  it.each(ATTACKS)("%s: is refused in time, and nobody waits for it", async (_name, text) => {
    await parseExpression("1");
    let longestPause = 0;
    let done = false;
    const others = (async () => {
      while (!done) {
        const began = performance.now();
        await pause(10);
        longestPause = Math.max(longestPause, performance.now() - began);
      }
    })();
    const began = performance.now();
    await parseExpression(text).catch((error: Error) => expect(error.name).toBe("QueryError"));
    const took = performance.now() - began;
    done = true;
    await others;
    expect(took).toBeLessThan(11_000);
    expect(longestPause).toBeLessThan(500);
    expect(await parse("SELECT 1")).toMatchObject({ kind: "select" });
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
    expect(withinReason(await costOf(() => guardText(text)), await costOf(() => guardText(plain)))).toBe(true);
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
