import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression, sqlTrees } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { concatenated } from "../../operators/collections.ts";
import { numeral, type Sql, separated, sql, TRUE } from "../../sql/fragment.ts";
import { BOOLEAN, isText, STRING, type Type, UINT64 } from "../../types.ts";
import { toText } from "../casts/to-string.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import { fitArgument, type Take } from "../take.ts";
import { asciiLower, asciiUpper, cut, cutKnown, type Unit, withinReach } from "./bytes.ts";

const text = (name: string, takes: readonly Take[], tree: (...args: readonly Sql[]) => Sql, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, anyCase: true, takes, type: STRING, sql: tree });

const of = (
  name: string,
  takes: readonly Take[],
  type: Type,
  tree: (...args: readonly Sql[]) => Sql,
  ...aliases: readonly string[]
): Scalar => scalar({ name, aliases, takes, type, sql: tree });

/** Joins any values as texts; NULL when one is. */
const concat: Scalar = {
  kind: "scalar",
  name: "concat",
  anyCase: true,
  takes: ["any"],
  rest: true,
  lower: (args, context) => {
    if (args.length > 0 && args.every(({ type }) => type.kind === "array")) return concatenated(args, "concat");
    return joined(context, args);
  },
};

const joined = (context: LoweringContext, args: readonly Expression[]): Expression => {
  const texts = args.map((arg) => toText(context, arg));
  if (texts.every(({ known }) => typeof known === "string")) return context.known(texts.map(({ known }) => String(known)).join(""), STRING);
  return derive(sql`(${separated(sqlTrees(texts), sql` || `)})`, STRING, texts);
};

const withSeparator: Scalar = {
  kind: "scalar",
  name: "concatWithSeparator",
  aliases: ["concat_ws"],
  takes: ["text", "any"],
  rest: true,
  lower: ([separator, ...rest], context) =>
    joined(
      context,
      rest.flatMap((arg, index) => (index === 0 || separator === undefined ? [arg] : [separator, arg])),
    ),
};

/** Bytes of a text, elements of an array, keys of a map. */
const length: Scalar = {
  kind: "scalar",
  name: "length",
  aliases: ["OCTET_LENGTH"],
  anyCase: true,
  takes: ["any"],
  lower: ([value = missing()], context) => {
    if (value.type.kind === "array") return derive(sql`len(${value.tree})`, UINT64, [value]);
    if (value.type.kind === "map") return derive(sql`cardinality(${value.tree})`, UINT64, [value]);
    const text = fitArgument(context, "text", value, "length", 0);
    return derive(sql`strlen(${text.tree})`, UINT64, [text]);
  },
};

const NO_UUID = sql`00000000-0000-0000-0000-000000000000`;

const emptiness = (name: string, wanted: boolean): Scalar => ({
  kind: "scalar",
  name,
  takes: ["any"],
  lower: (args) => {
    const [value] = args;
    if (value === undefined) return { tree: TRUE, type: BOOLEAN, nullable: false };
    const op = wanted ? sql`=` : sql`<>`;
    return derive(
      sql`(${emptied(value)} ${op} ${value.type.kind === "array" || value.type.kind === "map" ? sql`0` : sql`''`})`,
      BOOLEAN,
      args,
    );
  },
});

const emptied = ({ tree, type }: Expression): Sql => {
  if (isText(type)) return tree;
  if (type.kind === "array") return sql`len(${tree})`;
  if (type.kind === "map") return sql`cardinality(${tree})`;
  return type.kind === "uuid" ? sql`replace(CAST(${tree} AS VARCHAR), '${NO_UUID}', '')` : sql`CAST(${tree} AS VARCHAR)`;
};

/** A part of a text, from 1 or from the end when negative; a start of 0 yields nothing. */
const substring = (name: string, unit: Unit, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["text", "integer", "integer"],
  optional: 1,
  lower: ([value, start, size], context) => {
    const args = [value, start, size].filter((arg) => arg !== undefined);
    const [x, from] = [value ?? context.known(null, STRING), start ?? context.known(1n, UINT64)];
    const [first, count] = [plain(from), size === undefined ? undefined : plain(size)];
    const isPlain = first !== undefined && first > 0 && (size === undefined || count !== undefined);
    if (isPlain) return derive(cutKnown(x.tree, first, count, unit), STRING, args);
    const part = cut(x.tree, from.tree, size?.tree, unit);
    const absent = [start, size].flatMap((arg) => (arg?.nullable ? [sql`${arg.tree} IS NULL`] : []));
    if (absent.length === 0) return derive(part, STRING, args);
    return derive(sql`(CASE WHEN ${separated(absent, sql` OR `)} THEN NULL ELSE ${part} END)`, STRING, args);
  },
});

const MAX_PLAIN = 1_000_000n;

/** A small constant that is not negative. */
const plain = ({ known }: Expression): number | undefined =>
  typeof known === "bigint" && known >= 0n && known <= MAX_PLAIN ? Number(known) : undefined;

/** The first or last part of a text; a negative size leaves as much out at the other end. */
const ends = (name: string, side: "left" | "right", unit: Unit): Scalar =>
  scalar({
    name,
    anyCase: true,
    takes: ["text", "integer"],
    type: STRING,
    sql: (x, n) => {
      if (side === "left") return sql`(CASE WHEN ${n} = 0 THEN '' WHEN ${n} IS NOT NULL THEN ${cut(x, sql`1`, n, unit)} END)`;
      return sql`(CASE WHEN ${n} = 0 THEN '' WHEN ${n} < 0 THEN ${cut(x, sql`(1 - ${withinReach(n)})`, undefined, unit)} WHEN ${n} > 0 THEN ${cut(x, sql`(-${withinReach(n)})`, undefined, unit)} END)`;
    },
  });

/** ClickHouse writes groups of a replacement as \1, like DuckDB; an empty pattern replaces nothing. */
const replaceRegexp = (name: string, options: Sql, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["text", "pattern", "text"],
  lower: (args) => {
    const [x, re, to] = args;
    if (x === undefined || re === undefined || to === undefined || re.known === "") return x ?? missing();
    return derive(sql`regexp_replace(${x.tree}, ${re.tree}, ${to.tree}, '${options}')`, STRING, args);
  },
});

const missing = (): never => {
  throw new QueryError("number_of_arguments_doesnt_match", "An argument is missing.");
};

const trim = (name: string, duckdb: Sql, ...aliases: readonly string[]): Scalar =>
  scalar({
    name,
    aliases,
    anyCase: true,
    takes: ["text", "text"],
    optional: 1,
    type: STRING,
    sql: (x, characters) => (characters === undefined ? sql`${duckdb}(${x}, ' ')` : sql`${duckdb}(${x}, ${characters})`),
  });

/** Longest text that a function makes out of a short one, bytes: the engine neither counts nor interrupts what these take. */
const MAX_MADE = 100_000;
const TOO_LONG = sql`error('the text is too long')`;

/** Fills a text up to a number of bytes, or cuts it there; an empty filling is a space. */
const pad = (name: string, duckdb: Sql, unit: Unit, ...aliases: readonly string[]): Scalar =>
  scalar({
    name,
    aliases,
    takes: ["text", "integer", "text"],
    optional: 1,
    type: STRING,
    sql: (x, size, fill) => {
      const filling = fill === undefined ? sql`' '` : sql`coalesce(nullif(${fill}, ''), ' ')`;
      const have = unit === "bytes" ? sql`strlen(${x})` : sql`length(${x})`;
      const wide = sql`(${size} - ${have} + length(${x}))`;
      const filled = sql`CASE WHEN ${have} > ${size} THEN ${cut(x, sql`1`, size, unit)} ELSE ${duckdb}(${x}, CAST(${wide} AS INTEGER), ${filling}) END`;
      return sql`(CASE WHEN ${size} > ${numeral(MAX_MADE)} THEN ${TOO_LONG} WHEN ${size} <= 0 THEN left(${x}, 0) ELSE ${filled} END)`;
    },
  });

const repeated = (x: Sql, n: Sql): Sql =>
  sql`(CASE WHEN strlen(${x}) * ${n} > ${numeral(MAX_MADE)} THEN ${TOO_LONG} ELSE repeat(${x}, ${n}) END)`;

/** `{}` takes the next value, `{1}` the one at that place from 0; doubled braces stand for themselves. */
const format: Scalar = {
  kind: "scalar",
  name: "format",
  takes: ["constant text", "any"],
  rest: true,
  lower: ([pattern, ...args], context) => {
    const texts = args.map((arg) => toText(context, arg));
    const pieces = String(pattern?.known).split(/(\{\{|\}\}|\{\d*\})/);
    let next = 0;
    const parts = pieces.flatMap((piece) => {
      if (piece === "") return [];
      if (piece === "{{" || piece === "}}") return [context.known(piece.slice(1), STRING)];
      const hole = /^\{(\d*)\}$/.exec(piece);
      if (hole === null) return [context.known(piece, STRING)];
      const index = hole[1] === "" ? next : Number(hole[1]);
      next += 1;
      const value = texts[index];
      if (value === undefined) throw new QueryError("invalid_input", `\`format\` has no value for its hole ${piece}.`);
      return [value];
    });
    return parts.length === 0 ? context.known("", STRING) : derive(sql`(${separated(sqlTrees(parts), sql` || `)})`, STRING, parts);
  },
};

export const STRINGS: readonly FunctionSpec[] = [
  concat,
  withSeparator,
  length,
  emptiness("empty", true),
  emptiness("notEmpty", false),
  of("lengthUTF8", ["text"], UINT64, (x) => sql`length(${x})`, "char_length", "CHAR_LENGTH", "CHARACTER_LENGTH"),
  text("lower", ["text"], (x) => asciiLower(x), "lcase"),
  text("upper", ["text"], (x) => asciiUpper(x), "ucase"),
  text("lowerUTF8", ["text"], (x) => sql`lower(${x})`),
  text("upperUTF8", ["text"], (x) => sql`upper(${x})`),
  {
    kind: "scalar",
    name: "reverse",
    aliases: ["reverseUTF8"],
    anyCase: true,
    takes: ["any"],
    lower: ([value = missing()], context) => {
      if (value.type.kind === "array") return derive(sql`list_reverse(${value.tree})`, value.type, [value]);
      const text = fitArgument(context, "text", value, "reverse", 0);
      return derive(sql`reverse(${text.tree})`, text.type, [text]);
    },
  },
  substring("substring", "bytes", "substr", "mid", "byteSlice"),
  substring("substringUTF8", "characters", "substrUTF8"),
  ends("left", "left", "bytes"),
  ends("right", "right", "bytes"),
  ends("leftUTF8", "left", "characters"),
  ends("rightUTF8", "right", "characters"),
  pad("leftPad", sql`lpad`, "bytes", "lpad"),
  pad("rightPad", sql`rpad`, "bytes", "rpad"),
  pad("leftPadUTF8", sql`lpad`, "characters"),
  pad("rightPadUTF8", sql`rpad`, "characters"),
  text("repeat", ["text", "integer"], (x, n) => repeated(x, n)),
  text("space", ["integer"], (n) => repeated(sql`' '`, n)),
  trim("trim", sql`trim`, "trimBoth"),
  trim("trimLeft", sql`ltrim`, "ltrim"),
  trim("trimRight", sql`rtrim`, "rtrim"),
  of("startsWith", ["text", "text"], BOOLEAN, (x, part) => sql`starts_with(${x}, ${part})`, "startsWithUTF8"),
  of("endsWith", ["text", "text"], BOOLEAN, (x, part) => sql`ends_with(${x}, ${part})`, "endsWithUTF8"),
  text("replace", ["text", "text", "text"], (x, from, to) => sql`replace(${x}, ${from}, ${to})`, "replaceAll"),
  of(
    "replaceOne",
    ["text", "text", "text"],
    STRING,
    (x, from, to) =>
      sql`(CASE WHEN ${from} || ${to} IS NULL THEN NULL WHEN ${from} <> '' AND contains(${x}, ${from}) THEN left(${x}, strpos(${x}, ${from}) - 1) || ${to} || substring(${x}, strpos(${x}, ${from}) + length(${from})) ELSE ${x} END)`,
  ),
  replaceRegexp("replaceRegexpAll", sql`gs`, "REGEXP_REPLACE"),
  replaceRegexp("replaceRegexpOne", sql`s`),
  text("translate", ["text", "text", "text"], (x, from, to) => sql`translate(${x}, ${from}, ${to})`, "translateUTF8"),
  of(
    "appendTrailingCharIfAbsent",
    ["text", "text"],
    STRING,
    (x, end) => sql`(CASE WHEN ${x} = '' OR ends_with(${x}, ${end}) THEN ${x} ELSE ${x} || ${end} END)`,
  ),
  of("toValidUTF8", ["text"], STRING, (x) => x ?? "''"),
  of("isValidUTF8", ["text"], BOOLEAN, (x) => sql`(${x} IS NOT NULL)`),
  text("initcap", ["text"], (x) => initials(asciiLower(x), sql`a-z0-9`)),
  text("initcapUTF8", ["text"], (x) => initials(sql`lower(${x})`, sql`\\p{L}\\p{N}`)),
  format,
];

/** Words with a capital letter each; a word is a run of these characters, and what lies between words stays as it is. */
function initials(x: Sql, characters: Sql): Sql {
  const words = sql`regexp_extract_all(${x}, '[${characters}]+|[^${characters}]+')`;
  const begun = sql`CASE WHEN regexp_matches(w, '^[${characters}]') THEN upper(left(w, 1)) || substring(w, 2) ELSE w END`;
  return sql`coalesce(array_to_string(list_transform(${words}, lambda w: ${begun}), ''), '')`;
}
