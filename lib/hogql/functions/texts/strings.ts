import { type Expression, made } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import { arrayOf, BOOLEAN, isText, STRING, type Type, UINT64 } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import { toText } from "../casts/printed.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import type { Take } from "../take.ts";
import { asciiLower, asciiUpper, cut, cutKnown, type Unit } from "./bytes.ts";

const text = (name: string, takes: readonly Take[], sql: (...args: readonly string[]) => string, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, anyCase: true, takes, type: STRING, sql: (args) => sql(...args) });

const of = (
  name: string,
  takes: readonly Take[],
  type: Type,
  sql: (...args: readonly string[]) => string,
  ...aliases: readonly string[]
): Scalar => scalar({ name, aliases, takes, type, sql: (args) => sql(...args) });

/** Joins any values as texts; NULL when one is. */
const concat: Scalar = {
  kind: "scalar",
  name: "concat",
  anyCase: true,
  takes: ["any"],
  rest: true,
  lower: (args, run) => {
    if (args.length > 0 && args.every(({ type }) => type.kind === "array")) {
      return made(`(${args.map(({ sql }) => sql).join(" || ")})`, args[0]?.type ?? arrayOf(STRING), args);
    }
    return joined(run, args);
  },
};

const joined = (run: Run, args: readonly Expression[]): Expression => {
  const texts = args.map((arg) => toText(run, arg));
  if (texts.every(({ known }) => typeof known === "string")) return run.known(texts.map(({ known }) => String(known)).join(""), STRING);
  return made(`(${texts.map(({ sql }) => sql).join(" || ")})`, STRING, texts);
};

const withSeparator: Scalar = {
  kind: "scalar",
  name: "concatWithSeparator",
  aliases: ["concat_ws"],
  takes: ["text", "any"],
  rest: true,
  lower: ([separator, ...rest], run) =>
    joined(
      run,
      rest.flatMap((arg, index) => (index === 0 || separator === undefined ? [arg] : [separator, arg])),
    ),
};

/** Bytes of a text, elements of an array. */
const length: Scalar = {
  kind: "scalar",
  name: "length",
  aliases: ["OCTET_LENGTH"],
  anyCase: true,
  takes: ["any"],
  lower: (args) =>
    counted(args, (value) =>
      value.type.kind === "array" ? `len(${value.sql})` : value.type.kind === "map" ? `cardinality(${value.sql})` : `strlen(${value.sql})`,
    ),
};

const counted = (args: readonly Expression[], sql: (value: Expression) => string): Expression => {
  const [value] = args;
  return value === undefined ? { sql: "0", type: UINT64, nullable: false } : made(sql(value), UINT64, args);
};

const NO_UUID = "00000000-0000-0000-0000-000000000000";

const emptiness = (name: string, wanted: boolean): Scalar => ({
  kind: "scalar",
  name,
  takes: ["any"],
  lower: (args) => {
    const [value] = args;
    if (value === undefined) return { sql: "true", type: BOOLEAN, nullable: false };
    const op = wanted ? "=" : "<>";
    return made(`(${emptied(value)} ${op} ${value.type.kind === "array" || value.type.kind === "map" ? 0 : "''"})`, BOOLEAN, args);
  },
});

const emptied = ({ sql, type }: Expression): string => {
  if (isText(type)) return sql;
  if (type.kind === "array") return `len(${sql})`;
  if (type.kind === "map") return `cardinality(${sql})`;
  return type.kind === "uuid" ? `replace(CAST(${sql} AS VARCHAR), '${NO_UUID}', '')` : `CAST(${sql} AS VARCHAR)`;
};

/** A part of a text, from 1 or from the end when negative; a start of 0 yields nothing. */
const substring = (name: string, unit: Unit, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["text", "integer", "integer"],
  optional: 1,
  lower: ([value, start, size], run) => {
    const args = [value, start, size].filter((arg) => arg !== undefined);
    const [x, from] = [value ?? run.known(null, STRING), start ?? run.known(1n, UINT64)];
    const [first, count] = [plain(from), size === undefined ? undefined : plain(size)];
    const isPlain = first !== undefined && first > 0 && (size === undefined || count !== undefined);
    const sql = isPlain ? cutKnown(x.sql, first, count, unit) : cut(x.sql, from.sql, size?.sql, unit);
    return made(sql, STRING, args);
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
    sql: ([x = "", n = ""]) => {
      if (side === "left") return `(CASE WHEN ${n} = 0 THEN '' ELSE ${cut(x, "1", n, unit)} END)`;
      return `(CASE WHEN ${n} = 0 THEN '' WHEN ${n} < 0 THEN ${cut(x, `(1 - ${n})`, undefined, unit)} ELSE ${cut(x, `(-${n})`, undefined, unit)} END)`;
    },
  });

/** ClickHouse writes groups of a replacement as \1, like DuckDB; an empty pattern replaces nothing. */
const replaceRegexp = (name: string, options: string, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["text", "text", "text"],
  lower: (args) => {
    const [x, re, to] = args;
    if (x === undefined || re === undefined || to === undefined || re.known === "") return x ?? missing();
    return made(`regexp_replace(${x.sql}, ${re.sql}, ${to.sql}, '${options}')`, STRING, args);
  },
});

const missing = (): never => {
  throw new QueryError("number_of_arguments_doesnt_match", "An argument is missing.");
};

const trim = (name: string, duckdb: string, ...aliases: readonly string[]): Scalar =>
  scalar({
    name,
    aliases,
    anyCase: true,
    takes: ["text", "text"],
    optional: 1,
    type: STRING,
    sql: ([x, characters]) => (characters === undefined ? `${duckdb}(${x}, ' ')` : `${duckdb}(${x}, ${characters})`),
  });

/** Longest text that a function makes out of a short one, bytes: the engine neither counts nor interrupts what these take. */
const MAX_MADE = 100_000;
const TOO_LONG = "error('the text is too long')";

/** Fills a text up to a number of bytes, or cuts it there; an empty filling is a space. */
const pad = (name: string, duckdb: string, unit: Unit, ...aliases: readonly string[]): Scalar =>
  scalar({
    name,
    aliases,
    takes: ["text", "integer", "text"],
    optional: 1,
    type: STRING,
    sql: ([x = "", size = "", fill]) => {
      const filling = fill === undefined ? "' '" : `coalesce(nullif(${fill}, ''), ' ')`;
      const have = unit === "bytes" ? `strlen(${x})` : `length(${x})`;
      const wide = `(${size} - ${have} + length(${x}))`;
      const filled = `CASE WHEN ${have} > ${size} THEN ${cut(x, "1", size, unit)} ELSE ${duckdb}(${x}, CAST(${wide} AS INTEGER), ${filling}) END`;
      return `(CASE WHEN ${size} > ${MAX_MADE} THEN ${TOO_LONG} WHEN ${size} <= 0 THEN left(${x}, 0) ELSE ${filled} END)`;
    },
  });

const repeated = (x: string, n: string): string =>
  `(CASE WHEN strlen(${x}) * ${n} > ${MAX_MADE} THEN ${TOO_LONG} ELSE repeat(${x}, ${n}) END)`;

/** `{}` takes the next value, `{1}` the one at that place from 0; doubled braces stand for themselves. */
const format: Scalar = {
  kind: "scalar",
  name: "format",
  takes: ["constant text", "any"],
  rest: true,
  lower: ([pattern, ...args], run) => {
    const texts = args.map((arg) => toText(run, arg));
    const pieces = String(pattern?.known).split(/(\{\{|\}\}|\{\d*\})/);
    let next = 0;
    const parts = pieces.flatMap((piece) => {
      if (piece === "") return [];
      if (piece === "{{" || piece === "}}") return [run.known(piece.slice(1), STRING)];
      const hole = /^\{(\d*)\}$/.exec(piece);
      if (hole === null) return [run.known(piece, STRING)];
      const index = hole[1] === "" ? next : Number(hole[1]);
      next += 1;
      const value = texts[index];
      if (value === undefined) throw new QueryError("invalid_input", `\`format\` has no value for its hole ${piece}.`);
      return [value];
    });
    return parts.length === 0 ? run.known("", STRING) : made(`(${parts.map(({ sql }) => sql).join(" || ")})`, STRING, parts);
  },
};

export const STRINGS: readonly FunctionSpec[] = [
  concat,
  withSeparator,
  length,
  emptiness("empty", true),
  emptiness("notEmpty", false),
  of("lengthUTF8", ["text"], UINT64, (x) => `length(${x})`, "char_length", "CHAR_LENGTH", "CHARACTER_LENGTH"),
  text("lower", ["text"], (x = "") => asciiLower(x), "lcase"),
  text("upper", ["text"], (x = "") => asciiUpper(x), "ucase"),
  text("lowerUTF8", ["text"], (x) => `lower(${x})`),
  text("upperUTF8", ["text"], (x) => `upper(${x})`),
  {
    kind: "scalar",
    name: "reverse",
    aliases: ["reverseUTF8"],
    anyCase: true,
    takes: ["any"],
    lower: (args) => {
      const [value] = args;
      const type = value?.type ?? STRING;
      return made(type.kind === "array" ? `list_reverse(${value?.sql})` : `reverse(${value?.sql})`, type, args);
    },
  },
  substring("substring", "bytes", "substr", "mid", "byteSlice"),
  substring("substringUTF8", "characters", "substrUTF8"),
  ends("left", "left", "bytes"),
  ends("right", "right", "bytes"),
  ends("leftUTF8", "left", "characters"),
  ends("rightUTF8", "right", "characters"),
  pad("leftPad", "lpad", "bytes", "lpad"),
  pad("rightPad", "rpad", "bytes", "rpad"),
  pad("leftPadUTF8", "lpad", "characters"),
  pad("rightPadUTF8", "rpad", "characters"),
  text("repeat", ["text", "integer"], (x = "", n = "") => repeated(x, n)),
  text("space", ["integer"], (n = "") => repeated("' '", n)),
  trim("trim", "trim", "trimBoth"),
  trim("trimLeft", "ltrim", "ltrim"),
  trim("trimRight", "rtrim", "rtrim"),
  of("startsWith", ["text", "text"], BOOLEAN, (x, part) => `starts_with(${x}, ${part})`, "startsWithUTF8"),
  of("endsWith", ["text", "text"], BOOLEAN, (x, part) => `ends_with(${x}, ${part})`, "endsWithUTF8"),
  text("replace", ["text", "text", "text"], (x, from, to) => `replace(${x}, ${from}, ${to})`, "replaceAll"),
  of(
    "replaceOne",
    ["text", "text", "text"],
    STRING,
    (x, from, to) =>
      `(CASE WHEN ${from} <> '' AND contains(${x}, ${from}) THEN left(${x}, strpos(${x}, ${from}) - 1) || ${to} || substring(${x}, strpos(${x}, ${from}) + length(${from})) ELSE ${x} END)`,
  ),
  replaceRegexp("replaceRegexpAll", "gs", "REGEXP_REPLACE"),
  replaceRegexp("replaceRegexpOne", "s"),
  text("translate", ["text", "text", "text"], (x, from, to) => `translate(${x}, ${from}, ${to})`, "translateUTF8"),
  of(
    "appendTrailingCharIfAbsent",
    ["text", "text"],
    STRING,
    (x, end) => `(CASE WHEN ${x} = '' OR ends_with(${x}, ${end}) THEN ${x} ELSE ${x} || ${end} END)`,
  ),
  of("toValidUTF8", ["text"], STRING, (x) => x ?? "''"),
  of("isValidUTF8", ["text"], BOOLEAN, (x) => `(${x} IS NOT NULL)`),
  text("initcap", ["text"], (x = "") => initials(asciiLower(x)), "initcapUTF8"),
  format,
];

/** Words with a capital letter each; a word is a run of ASCII letters and digits. */
function initials(x: string): string {
  const words = `regexp_extract_all(${x}, '[a-z0-9]+|[^a-z0-9]+')`;
  return `coalesce(array_to_string(list_transform(${words}, lambda w: upper(left(w, 1)) || substring(w, 2)), ''), '')`;
}
