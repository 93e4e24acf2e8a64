import fc, { type Arbitrary } from "fast-check";
import type { Scalar } from "../../lib/hogql/functions/spec.ts";
import type { Take } from "../../lib/hogql/functions/take.ts";
import { bomb, pathological } from "./bombs.ts";
import {
  AGGREGATES,
  ALIASES,
  COMBINATORS,
  type Columns,
  FOREIGN,
  HOSTILE_ALIASES,
  HOSTILE_COLUMNS,
  HOSTILE_TABLES,
  type Kind,
  NUMBERS,
  OPERATORS,
  REACHING,
  REFUSED,
  SCALARS,
  SPECIALS,
  TABLES,
  TEXTS,
  TYPES,
  WINDOWS,
} from "./pieces.ts";
import { list, mostly, oneOf, rarely, sometimes, text } from "./texts.ts";

/** What a generator can be asked for. */
type Part = Kind | "any" | "select" | "grouped" | "source";
type Parts = Readonly<Record<Part, Arbitrary<string>>>;

const DEPTH = { maxDepth: 2, depthSize: "xsmall" } as const;

/** Query texts over the dialect's grammar, most of them sound and many of them hostile. `file` is one that must not be read. */
export const queries = (file: string): Arbitrary<string> => {
  const each = TABLES.map(([table, columns]) => partsOver(table, columns, file));
  const any = (part: Part): Arbitrary<string> => fc.oneof(...each.map((parts) => parts[part]));
  const select = fc.oneof({ weight: 3, arbitrary: any("select") }, { weight: 2, arbitrary: any("grouped") });
  const statement = fc.oneof(
    { weight: 12, arbitrary: select },
    { weight: 2, arbitrary: text`WITH a AS (${select}), b AS (SELECT * FROM a) SELECT count(), any(tuple(*)) FROM b` },
    { weight: 2, arbitrary: text`SELECT ${any("any")} AS x UNION ALL SELECT ${any("any")}` },
    { weight: 1, arbitrary: text`${select} ${oneOf(["UNION ALL", "UNION DISTINCT", "INTERSECT", "EXCEPT"])} ${select}` },
    { weight: 1, arbitrary: pathological(any("any")) },
    { weight: 1, arbitrary: text`${select}${oneOf(FOREIGN)}` },
  );
  return fc.oneof({ weight: 14, arbitrary: statement }, { weight: 1, arbitrary: cut(statement) });
};

/** Expressions and queries over the columns of one table. */
const partsOver = (table: string, columns: Columns, file: string): Parts => {
  const alias = mostly(oneOf(ALIASES), oneOf(HOSTILE_ALIASES), 8);
  return fc.letrec<Record<Part, string>>((tie) => {
    const any = tie("any");
    const leaf = (kind: Kind, literals: readonly string[]): Arbitrary<string> =>
      mostly(fc.oneof(oneOf(columns[kind]), oneOf(literals)), oneOf(HOSTILE_COLUMNS), 30);
    const call = fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...SCALARS).chain((spec) => callOf(spec, tie)) },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom(...SPECIALS)
          .chain(({ name, arity: [least, most] }) => text`${fc.constant(name)}(${list(any, least, Math.min(most, least + 2))})`),
      },
      { weight: 2, arbitrary: overList(tie) },
      { weight: 1, arbitrary: bomb(any) },
      { weight: 1, arbitrary: mostly(oneOf(REACHING(file)), text`${oneOf(REFUSED)}(${list(any, 0, 2)})`, 1) },
    );
    const window = text`(PARTITION BY ${any} ORDER BY ${any}${rarely(oneOf([" DESC", " ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING"]))})`;
    const aggregate = fc.constantFrom(...AGGREGATES).chain((spec) => {
      const name = mostly(fc.constant(spec.name), text`${fc.constant(spec.name)}${oneOf(COMBINATORS)}`, 5);
      const parameters =
        spec.params === undefined
          ? fc.constant("")
          : text`(${list(mostly(oneOf(["0.5", "2", "'(?1)(?2)'"]), oneOf(NUMBERS), 3), spec.params[0], Math.min(spec.params[1], 3))})`;
      return text`${name}${parameters}(${argumentsOf(spec, tie)})`;
    });
    const windowed = fc
      .constantFrom(...WINDOWS, ...AGGREGATES)
      .chain((spec) => text`${fc.constant(spec.name)}(${argumentsOf(spec, tie)}) OVER ${window}`);
    const rest = text`${sometimes(text` WHERE ${tie("flag")}`)}`;
    const end = text`${rarely(text` ORDER BY ${any}${oneOf(["", " DESC", " ASC NULLS FIRST"])}`)}${rarely(text` LIMIT ${oneOf(["1", "2"])} BY ${any}`)}${sometimes(text` LIMIT ${mostly(oneOf(["1", "5", "1000"]), oneOf(NUMBERS), 5)}`)}`;
    const aliased = text`${any}${sometimes(text` AS ${alias}`)}`;
    return {
      text: fc.oneof(
        DEPTH,
        { weight: 4, arbitrary: leaf("text", TEXTS) },
        { weight: 2, arbitrary: text`toString(${call})` },
        { weight: 1, arbitrary: text`concat(${tie("text")}, ${tie("text")})` },
      ),
      number: fc.oneof(
        DEPTH,
        { weight: 4, arbitrary: leaf("number", NUMBERS) },
        { weight: 2, arbitrary: text`toFloat(toString(${call}))` },
        { weight: 1, arbitrary: text`(${tie("number")} ${oneOf(["+", "-", "*", "/", "%"])} ${tie("number")})` },
        { weight: 1, arbitrary: text`length(${tie("text")})` },
      ),
      time: fc.oneof(
        DEPTH,
        {
          weight: 4,
          arbitrary: leaf("time", [
            "now()",
            "today()",
            "toDateTime('2026-01-15 12:00:00')",
            "toDate('1970-01-01')",
            "toDateTime('2100-03-31 00:00:00')",
          ]),
        },
        {
          weight: 1,
          arbitrary: text`(${tie("time")} + INTERVAL ${oneOf(["1", "1000000", "-3"])} ${oneOf(["DAY", "MONTH", "YEAR", "SECOND"])})`,
        },
      ),
      list: fc.oneof(
        DEPTH,
        { weight: 4, arbitrary: leaf("list", ["[1, 2]"]) },
        { weight: 1, arbitrary: text`[${tie("any")}, ${tie("any")}]` },
        { weight: 1, arbitrary: overList(tie) },
      ),
      flag: fc.oneof(
        DEPTH,
        { weight: 3, arbitrary: leaf("flag", ["true"]) },
        { weight: 2, arbitrary: text`(${tie("text")} ${oneOf(["=", "!=", "<", "LIKE", "NOT ILIKE", "=~", "!~*"])} ${tie("text")})` },
        { weight: 2, arbitrary: text`(${tie("number")} ${oneOf(["=", "<", ">="])} ${tie("number")})` },
        { weight: 1, arbitrary: text`(${tie("time")} > ${tie("time")})` },
        { weight: 1, arbitrary: text`(${tie("text")} IN (${list(oneOf(TEXTS), 1, 3)}))` },
        { weight: 1, arbitrary: text`(${tie("text")} NOT IN (SELECT toString(${tie("any")}) FROM ${tie("source")}))` },
        { weight: 1, arbitrary: text`(${tie("flag")} ${oneOf(["AND", "OR"])} NOT ${tie("flag")})` },
        { weight: 1, arbitrary: text`(${any} IS NOT NULL)` },
      ),
      any: fc.oneof(
        DEPTH,
        { weight: 3, arbitrary: fc.oneof(tie("text"), tie("number"), tie("time"), tie("list"), tie("flag")) },
        { weight: 5, arbitrary: call },
        {
          weight: 1,
          arbitrary: fc.oneof(
            text`(${any} ${oneOf(OPERATORS)} ${any})`,
            text`(SELECT ${any} FROM ${tie("source")} LIMIT 1)`,
            text`CASE WHEN ${tie("flag")} THEN ${any} ELSE ${any} END`,
            text`(${tie("flag")} ? ${tie("text")} : ${tie("text")})`,
            text`CAST(${any} AS ${oneOf(TYPES)})`,
            text`${tie("list")}[${tie("number")}]`,
            text`(${any}, ${any}).1`,
            text`f'{${tie("text")}}'`,
            text`(${any} AS ${alias})`,
            oneOf(["{variables.x}", "{value}", "{filters}", "{nothing}", "NULL"]),
          ),
        },
      ),
      source: fc.oneof(
        DEPTH,
        { weight: 14, arbitrary: fc.constant(table) },
        { weight: 2, arbitrary: text`(SELECT * FROM ${tie("source")}${rest} LIMIT 20) AS a` },
        { weight: 1, arbitrary: oneOf(HOSTILE_TABLES(file)) },
        { weight: 1, arbitrary: oneOf(REACHING(file)) },
        {
          weight: 2,
          arbitrary: text`${fc.constant(table)} AS a ${oneOf(["CROSS JOIN", "LEFT JOIN", "ASOF JOIN", "FULL JOIN"])} ${fc.constantFrom(...TABLES.map(([name]) => name))} AS b${mostly(text` ON ${tie("flag")}`, fc.constant(""), 3)}`,
        },
      ),
      select: text`SELECT ${rarely(fc.constant("DISTINCT "))}${list(mostly(aliased, windowed, 8), 1, 2)} FROM ${tie("source")}${rarely(text` ARRAY JOIN ${tie("list")} AS ${alias}`)}${rest}${end}`,
      grouped: text`SELECT ${any} AS g, ${list(aggregate, 1, 2)} FROM ${tie("source")}${rest} GROUP BY g${rarely(text` HAVING ${aggregate} IS NOT NULL`)} LIMIT ${oneOf(["5", "1000"])}`,
    };
  });
};

type Tie = (part: Kind | "any") => Arbitrary<string>;

/** Arguments as a function wants them, and now and then others or too many. */
const argumentsOf = ({ takes, optional = 0, rest }: Pick<Scalar, "takes" | "optional" | "rest">, tie: Tie): Arbitrary<string> => {
  const wanted = fc
    .integer({ min: takes.length - optional, max: takes.length + (rest ? 2 : 0) })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, at) => argumentOf(takes[Math.min(at, takes.length - 1)] ?? "any", tie))),
    )
    .map((args) => args.join(", "));
  return mostly(wanted, list(tie("any"), 0, 4), 8);
};

const callOf = (spec: Scalar, tie: Tie): Arbitrary<string> => text`${fc.constant(spec.name)}(${argumentsOf(spec, tie)})`;

const argumentOf = (take: Take, tie: Tie): Arbitrary<string> => {
  switch (take) {
    case "any":
      return tie("any");
    case "text":
    case "pattern":
      return tie("text");
    case "number":
      return tie("number");
    case "integer":
      return mostly(text`toInt(${tie("number")})`, oneOf(["0", "1", "3", "-2", "1000000", "9223372036854775807"]), 1);
    case "time":
    case "timestamp":
    case "date":
      return tie("time");
    case "array":
    case "texts":
    case "patterns":
      return tie("list");
    case "constant text":
    case "constant pattern":
      return oneOf(TEXTS);
    case "constant integer":
      return oneOf(NUMBERS);
    case "map":
      return oneOf(["map('a', 1)", "map()", "mapFromArrays(['a', 'b'], [1, 2])"]);
  }
};

const LAMBDAS = [
  "x -> x",
  "x -> toString(x)",
  "x -> x = 1",
  "(x, y) -> x + y",
  "x -> [x, x]",
  "x -> range(100000)",
  "x -> repeat(toString(x), 1000)",
  "x -> (SELECT 1)",
  "x -> event",
];

const overList = (tie: Tie): Arbitrary<string> =>
  fc.oneof(
    text`${oneOf(["arrayMap", "arrayFilter", "arrayExists", "arrayAll", "arrayCount", "arraySort", "arrayFirst", "arraySum"])}(${oneOf(LAMBDAS)}, ${tie("list")})`,
    text`arrayFold((acc, x) -> ${oneOf(["acc + 1", "concat(acc, acc)", "acc || x", "arrayConcat(acc, acc)"])}, ${tie("list")}, ${oneOf(["0", "'x'", "[1]"])})`,
  );

/** A text with a piece cut out, doubled or put elsewhere. */
const cut = (of: Arbitrary<string>): Arbitrary<string> =>
  fc
    .tuple(of, fc.nat(), fc.nat(30), oneOf(["", "'", "`", "(", ")", "/*", "\u0000", "SELECT ", ";", "\ud800"]))
    .map(([whole, at, size, piece]) => {
      const from = at % (whole.length + 1);
      return whole.slice(0, from) + piece + whole.slice(from + size);
    });
