import { derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { STRING, typeName, UINT8 } from "../../types.ts";
import { bindOnce } from "../aggregates/array-combinators.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import type { Take } from "../take.ts";
import { digestDigits } from "./hashes.ts";

const text = (name: string, takes: readonly Take[], tree: (...args: readonly Sql[]) => Sql, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, takes, type: STRING, sql: tree });

/** The letters that base64 has in URLs, without what fills it up. */
const toUrlLetters = (x: Sql): Sql => sql`rtrim(replace(replace(to_base64(encode(${x})), '+', '-'), '/', '_'), '=')`;
const fromUrlLetters = (x: Sql): Sql => {
  const letters = sql`replace(replace(${x}, '-', '+'), '_', '/')`;
  return sql`decode(from_base64(${letters} || repeat('=', (4 - strlen(${x}) % 4) % 4)))`;
};

/** The characters of a text, those of `%XX` as far as the bytes are some, and each other byte that is above ASCII by itself. */
const escapedCharacters = (x: Sql): Sql =>
  sql`regexp_extract_all(${x}, '(?i)%[0-7][0-9a-f]|(?:%c[2-9a-f]|%d[0-9a-f])%[89ab][0-9a-f]|(?:%e0%[ab][0-9a-f]|%e[1-9a-cef]%[89ab][0-9a-f]|%ed%[89][0-9a-f])%[89ab][0-9a-f]|(?:%f0%[9ab][0-9a-f]|%f[1-3]%[89ab][0-9a-f]|%f4%8[0-9a-f])(?:%[89ab][0-9a-f]){2}|%[89a-f][0-9a-f]|[^%]+|%')`;

/**
 * What stands in `%XX`. Bytes that are no text, as links in Latin-1 have them, become one replacement character, as ClickHouse shows
 * them: DuckDB would refuse the whole query.
 */
const fromPercent = (x: Sql): Sql => {
  const known = sql`list_transform(${escapedCharacters(x)}, lambda c: CASE WHEN regexp_full_match(c, '%[89a-fA-F].') THEN '%EF%BF%BD' ELSE c END)`;
  const mended = sql`regexp_replace(array_to_string(${known}, ''), '(%EF%BF%BD)+', '%EF%BF%BD', 'g')`;
  return sql`url_decode(CASE WHEN regexp_matches(${x}, '%[89a-fA-F]') THEN ${mended} ELSE ${x} END)`;
};

/** Empty where it fails. DuckDB tries nothing that holds an aggregate or a subquery, so the value gets a name first. */
const orEmpty = (x: Sql, decoded: (value: Sql) => Sql): Sql =>
  sql`(CASE WHEN ${x} IS NOT NULL THEN coalesce(${bindOnce(x, (value) => sql`TRY(${decoded(value)})`)}, '') END)`;

const fromBase64 = (x: Sql): Sql => sql`decode(from_base64(${x}))`;

/** Bits of an integer as its type has them: those of Int64 where the type does not say. */
const integerBits = ({ type }: Expression): number => (type.kind === "integer" ? Number(/\d+$/.exec(type.name)?.[0] ?? 64) : 64);

/** Digits of an integer, of as many bytes as it takes; a negative one has all bytes of its type. */
const digits = (value: Expression, base: 2 | 16): Sql => {
  const bits = integerBits(value);
  const unsigned = bits === 64 ? value.tree : sql`(${value.tree} & ${numeral(2 ** bits - 1)})`;
  const written = base === 16 ? sql`upper(to_hex(${unsigned}))` : sql`to_binary(${unsigned})`;
  const perByte = base === 16 ? 2 : 8;
  return sql`lpad(${written}, CAST(ceil(length(${written}) / ${numeral(perByte)}) AS INTEGER) * ${numeral(perByte)}, '0')`;
};

const inBase = (name: string, base: 2 | 16): Scalar => ({
  kind: "scalar",
  name,
  anyCase: true,
  takes: ["any"],
  lower: (args, context) => {
    const [value = context.known(null, STRING)] = args;
    const bytes = digestDigits(value.tree);
    if (bytes !== undefined) return derive(base === 16 ? bytes : fromHex(bytes), STRING, args);
    return derive(baseSql(value, base), STRING, args);
  },
});

/** Hexadecimal digits as binary ones. */
const fromHex = (hex: Sql): Sql =>
  sql`array_to_string(list_transform(string_split(${hex}, ''), lambda d: lpad(to_binary(CAST('0x' || d AS BIGINT)), 4, '0')), '')`;

const baseSql = (value: Expression, base: 2 | 16): Sql => {
  switch (value.type.kind) {
    case "integer":
    case "boolean":
      return digits(value.type.kind === "boolean" ? { ...value, tree: sql`CAST(${value.tree} AS BIGINT)`, type: UINT8 } : value, base);
    case "date":
      return sql`lpad(${digits({ ...value, tree: sql`CAST(${value.tree} - DATE '1970-01-01' AS BIGINT)` }, base)}, ${numeral(base === 16 ? 4 : 16)}, '0')`;
    case "datetime":
      return sql`lpad(${digits({ ...value, tree: sql`(epoch_us(${value.tree}) // 1000000)` }, base)}, ${numeral(base === 16 ? 8 : 32)}, '0')`;
    case "uuid":
      return base === 16
        ? sql`upper(replace(CAST(${value.tree} AS VARCHAR), '-', ''))`
        : fromHex(sql`replace(CAST(${value.tree} AS VARCHAR), '-', '')`);
    case "string":
    case "json":
    case "null":
    case "unknown":
      return base === 16 ? sql`hex(CAST(${value.tree} AS VARCHAR))` : fromHex(sql`hex(CAST(${value.tree} AS VARCHAR))`);
    default:
      throw new QueryError(
        "illegal_type_of_argument",
        `\`${base === 16 ? "hex" : "bin"}\` takes a text, an integer, a time or a UUID, not ${typeName(value.type, value.nullable)}.`,
      );
  }
};

/** The text of a page without its tags, comments, scripts and styles; runs of white space become one space. */
const pageText = (x: Sql): Sql => {
  const bare = sql`regexp_replace(${x}, '<!--.*?-->|<script\\b.*?</script\\s*>|<style\\b.*?</style\\s*>|<!\\[CDATA\\[|\\]\\]>|</?[a-zA-Z!?/][^>]*>', ' ', 'gis')`;
  return sql`trim(regexp_replace(${bare}, '\\s+', ' ', 'g'))`;
};

/** Texts and numbers written in other alphabets, and back. */
export const ENCODINGS: readonly FunctionSpec[] = [
  text("base64Encode", ["text"], (x) => sql`to_base64(encode(${x}))`, "TO_BASE64"),
  text("base64Decode", ["text"], fromBase64, "FROM_BASE64"),
  text("tryBase64Decode", ["text"], (x) => orEmpty(x, fromBase64)),
  text("base64URLEncode", ["text"], (x) => toUrlLetters(x)),
  text("base64URLDecode", ["text"], (x) => fromUrlLetters(x)),
  text("tryBase64URLDecode", ["text"], (x) => orEmpty(x, fromUrlLetters)),
  text("encodeURLComponent", ["text"], (x) => sql`url_encode(${x})`),
  text("decodeURLComponent", ["text"], (x) => fromPercent(x)),
  text("encodeURLFormComponent", ["text"], (x) => sql`replace(url_encode(${x}), '%20', '+')`),
  text("decodeURLFormComponent", ["text"], (x) => fromPercent(sql`replace(${x}, '+', ' ')`)),
  scalar({
    name: "ascii",
    anyCase: true,
    takes: ["text"],
    type: UINT8,
    sql: (x) => sql`(CASE WHEN ${x} = '' THEN 0 ELSE CAST('0x' || hex(left(${x}, 1))[1:2] AS BIGINT) END)`,
  }),
  scalar({
    name: "char",
    anyCase: true,
    takes: ["number"],
    rest: true,
    type: STRING,
    sql: (...args) =>
      sql`(${separated(
        args.map((arg) => sql`chr(CAST(trunc(${arg}) AS INTEGER) & 255)`),
        sql` || `,
      )})`,
  }),
  inBase("hex", 16),
  inBase("bin", 2),
  text("unhex", ["text"], (x) =>
    orEmpty(x, (digits) => sql`decode(unhex(CASE WHEN length(${digits}) % 2 = 1 THEN '0' || ${digits} ELSE ${digits} END))`),
  ),
  text("extractTextFromHTML", ["text"], (x) => pageText(x)),
];
