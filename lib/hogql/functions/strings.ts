import { type Expression, made } from "../expression.ts";
import { arrayOf, BOOLEAN, isText, STRING, type Type, UINT8, UINT64 } from "../types.ts";
import { toText } from "./printed.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";
import type { Take } from "./take.ts";

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
    const texts = args.map((arg) => toText(run, arg));
    if (texts.every(({ known }) => typeof known === "string")) return run.known(texts.map(({ known }) => String(known)).join(""), STRING);
    return made(`(${texts.map(({ sql }) => sql).join(" || ")})`, STRING, texts);
  },
};

/** Bytes of a text, elements of an array. */
const length: Scalar = {
  kind: "scalar",
  name: "length",
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

const emptiness = (name: string, wanted: boolean): Scalar => ({
  kind: "scalar",
  name,
  takes: ["any"],
  lower: (args) => {
    const [value] = args;
    if (value === undefined) return { sql: "true", type: BOOLEAN, nullable: false };
    const op = wanted ? "=" : "<>";
    const sql = isText(value.type)
      ? `(${value.sql} ${op} '')`
      : value.type.kind === "array"
        ? `(len(${value.sql}) ${op} 0)`
        : `(CAST(${value.sql} AS VARCHAR) ${op} '')`;
    return made(sql, BOOLEAN, args);
  },
});

/** From 1, or from the end when negative; a start of 0 yields nothing. */
const substring = (value: string, start: string, size?: string): string =>
  `(CASE WHEN ${start} = 0 THEN '' ELSE substring(${value}, ${start}${size === undefined ? "" : `, greatest(${size}, 0)`}) END)`;

/** ClickHouse writes groups of a replacement as \1, like DuckDB. */
const replaceRegexp = (name: string, options: string): Scalar =>
  of(name, ["text", "text", "text"], STRING, (x, re, to) => `regexp_replace(${x}, ${re}, ${to}, '${options}')`);

/** An index of the text's characters, or bytes where they are the same: 0 when it is not found. */
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

const pad = (name: string, duckdb: string): Scalar =>
  scalar({
    name,
    aliases: [duckdb],
    takes: ["text", "integer", "text"],
    optional: 1,
    type: STRING,
    sql: ([x, size, fill]) =>
      `(CASE WHEN ${size} <= ${MAX_MADE} THEN ${duckdb}(${x}, CAST(${size} AS INTEGER), ${fill ?? "' '"}) ELSE ${TOO_LONG} END)`,
  });

const TEXTS = arrayOf(STRING);

export const STRINGS: readonly FunctionSpec[] = [
  concat,
  length,
  emptiness("empty", true),
  emptiness("notEmpty", false),
  of("lengthUTF8", ["text"], UINT64, (x) => `length(${x})`, "char_length", "CHAR_LENGTH"),
  text("lower", ["text"], (x) => `lower(${x})`, "lcase", "lowerUTF8"),
  text("upper", ["text"], (x) => `upper(${x})`, "ucase", "upperUTF8"),
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
  scalar({
    name: "substring",
    aliases: ["substr", "mid", "substringUTF8"],
    anyCase: true,
    takes: ["text", "integer", "integer"],
    optional: 1,
    type: STRING,
    sql: ([x = "", start = "", size]) => substring(x, start, size),
  }),
  text("left", ["text", "integer"], (x, n) => `left(${x}, ${n})`, "leftUTF8"),
  text("right", ["text", "integer"], (x, n) => `right(${x}, ${n})`, "rightUTF8"),
  pad("leftPad", "lpad"),
  pad("rightPad", "rpad"),
  text(
    "repeat",
    ["text", "integer"],
    (x, n) => `(CASE WHEN strlen(${x}) * ${n} <= ${MAX_MADE} THEN repeat(${x}, ${n}) ELSE ${TOO_LONG} END)`,
  ),
  trim("trim", "trim", "trimBoth"),
  trim("trimLeft", "ltrim", "ltrim"),
  trim("trimRight", "rtrim", "rtrim"),
  of("startsWith", ["text", "text"], BOOLEAN, (x, part) => `starts_with(${x}, ${part})`),
  of("endsWith", ["text", "text"], BOOLEAN, (x, part) => `ends_with(${x}, ${part})`),
  text("replace", ["text", "text", "text"], (x, from, to) => `replace(${x}, ${from}, ${to})`, "replaceAll"),
  of(
    "replaceOne",
    ["text", "text", "text"],
    STRING,
    (x, from, to) =>
      `(CASE WHEN contains(${x}, ${from}) THEN left(${x}, strpos(${x}, ${from}) - 1) || ${to} || substring(${x}, strpos(${x}, ${from}) + length(${from})) ELSE ${x} END)`,
  ),
  replaceRegexp("replaceRegexpAll", "gs"),
  replaceRegexp("replaceRegexpOne", "s"),
  of("splitByChar", ["text", "text"], TEXTS, (separator, x) => `string_split(${x}, ${separator})`),
  of("splitByString", ["text", "text"], TEXTS, (separator, x) => `string_split(${x}, ${separator})`),
  of("splitByRegexp", ["text", "text"], TEXTS, (separator, x) => `regexp_split_to_array(${x}, ${separator})`),
  scalar({
    name: "arrayStringConcat",
    aliases: ["array_to_string"],
    takes: ["array", "text"],
    optional: 1,
    type: STRING,
    sql: ([list, separator]) => `array_to_string(${list}, ${separator ?? "''"})`,
  }),
  {
    kind: "scalar",
    name: "format",
    takes: ["constant text", "any"],
    rest: true,
    lower: ([pattern, ...args], run) => {
      const texts = args.map((arg) => toText(run, arg));
      const pieces = String(pattern?.known).split(/(\{\d*\})/);
      let next = 0;
      const parts = pieces.flatMap((piece) => {
        const hole = /^\{(\d*)\}$/.exec(piece);
        if (hole === null) return piece === "" ? [] : [run.known(piece, STRING)];
        const index = hole[1] === "" ? next : Number(hole[1]);
        next += 1;
        return texts[index] === undefined ? [] : [texts[index]];
      });
      return parts.length === 0 ? run.known("", STRING) : made(`(${parts.map(({ sql }) => sql).join(" || ")})`, STRING, parts);
    },
  },
  of("toValidUTF8", ["text"], STRING, (x) => x ?? "''"),
  of("base64Encode", ["text"], STRING, (x) => `to_base64(encode(${x}))`),
  of("base64Decode", ["text"], STRING, (x) => `decode(from_base64(${x}))`),
  of("tryBase64Decode", ["text"], STRING, (x) => `coalesce(TRY(decode(from_base64(${x}))), '')`),
  of("encodeURLComponent", ["text"], STRING, (x) => `url_encode(${x})`),
  of("decodeURLComponent", ["text"], STRING, (x) => `url_decode(${x})`),
  of("ascii", ["text"], UINT8, (x) => `ascii(${x})`),
  scalar({
    name: "char",
    takes: ["integer"],
    rest: true,
    type: STRING,
    sql: (args) => `(${args.map((arg) => `chr(CAST(${arg} AS INTEGER))`).join(" || ")})`,
  }),
  {
    kind: "scalar",
    name: "hex",
    anyCase: true,
    takes: ["any"],
    lower: (args) => made(args[0]?.hex ?? `upper(hex(${args[0]?.sql}))`, STRING, args),
  },
  of("unhex", ["text"], STRING, (x) => `decode(unhex(${x}))`),
];
