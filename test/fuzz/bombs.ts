import fc, { type Arbitrary } from "fast-check";
import { SCALARS, TEXTS } from "./pieces.ts";
import { oneOf, text } from "./texts.ts";

/** One value that takes much time or memory. */
export const bomb = (any: Arbitrary<string>): Arbitrary<string> =>
  fc.oneof(
    oneOf([
      "range(1000000)",
      "repeat('x', 100000)",
      "repeat(repeat('ab', 1000), 50)",
      "leftPad('x', 100000, 'y')",
      "arrayJoin(range(1000000))",
    ]),
    text`arraySum(arrayMap(x -> length(range(x)), range(${oneOf(["1000", "100000", "1000000"])})))`,
    text`length(replaceAll(repeat('a', 100000), 'a', repeat('b', ${oneOf(["10", "100000"])})))`,
    text`length(arrayFold((acc, x) -> concat(acc, acc), range(${oneOf(["10", "60"])}), 'xxxx'))`,
    text`length(arrayMap(x -> arrayMap(y -> arrayMap(z -> repeat('x', 1000), range(1000)), range(1000)), range(${oneOf(["3", "1000"])})))`,
    text`length(arrayStringConcat(arrayMap(x -> repeat('x', 100000), range(${oneOf(["5", "100000"])})), toString(${any})))`,
    text`length(splitByString('', repeat(toString(${any}), 1000)))`,
    text`match(repeat('a', 10000), ${oneOf(TEXTS)})`,
    text`length(replaceRegexpAll(repeat('a', 10000), '', repeat('b', 10000)))`,
    text`levenshteinDistance(repeat('a', 100000), repeat('b', 100000))`,
    text`formatDateTime(now(), repeat('%Y', 10000))`,
  );

const nested = (open: string, inner: string, close: string, levels: number): string => open.repeat(levels) + inner + close.repeat(levels);

/** Shapes without end: nesting, doubling, products. */
export const pathological = (any: Arbitrary<string>): Arbitrary<string> => {
  const levels = fc.integer({ min: 1, max: 3_000 });
  const few = fc.integer({ min: 1, max: 60 });
  const doubled = (count: number, step: string): string =>
    `WITH t0 AS (SELECT 'xxxxxxxx' AS x FROM events), ${Array.from({ length: count }, (_, at) => `t${at + 1} AS (SELECT ${step} AS x FROM t${at})`).join(", ")} SELECT length(x) FROM t${count}`;
  return fc.oneof(
    fc
      .tuple(any, levels, fc.constantFrom("()", "[]"))
      .map(([inner, count, [open = "", close = ""]]) => `SELECT ${nested(open, inner, close, count)} FROM events`),
    fc
      .tuple(fc.constantFrom(...SCALARS), any, few)
      .map(([{ name }, inner, count]) => `SELECT ${nested(`${name}(`, inner, ")", count)} FROM events`),
    fc.tuple(any, levels).map(([inner, count]) => `SELECT ${"NOT ".repeat(count)}${inner} FROM events`),
    fc
      .tuple(any, fc.integer({ min: 1, max: 300 }))
      .map(([inner, count]) => `SELECT ${`toString(${inner}) = 'a' OR `.repeat(count)}true FROM events`),
    few.map((count) => nested("SELECT * FROM (", "SELECT 1 AS x", ")", count)),
    fc
      .tuple(
        few,
        fc.constantFrom("concat(x, x)", "hex(x)", "replaceAll(x, 'x', 'xxxx')", "arrayStringConcat([x, x, x])", "format('{0}{0}', x)"),
      )
      .map(([count, step]) => doubled(count, step)),
    few.map(
      (count) => `SELECT count() FROM ${Array.from({ length: count }, (_, at) => `numbers(1000000) AS n${at}`).join(" CROSS JOIN ")}`,
    ),
    few.map((count) => `SELECT ${nested("arrayMap(x -> ", "[x]", ", range(100))", count % 8)}`),
    few.map((count) => `SELECT 1 ${"UNION ALL SELECT 1 ".repeat(count * 10)}`),
  );
};
