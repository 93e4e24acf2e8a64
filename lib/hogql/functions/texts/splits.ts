import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { argument, lambda, type Sql, sql } from "../../sql/fragment.ts";
import { arrayType, STRING } from "../../types.ts";
import { toText } from "../casts/to-string.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";

const TEXTS = arrayType(STRING);

/** `split(separator, text[, most])`: the parts beyond the most are left out. */
const split = (name: string, duckdb: Sql, separatedBy: "text" | "pattern" = "text"): Scalar =>
  scalar({
    name,
    takes: [separatedBy, "text", "integer"],
    optional: 1,
    type: TEXTS,
    nulls: "never",
    sql: (separator, x, most) => limited(sql`${duckdb}(coalesce(${x}, ''), ${separator})`, most),
  });

const limited = (list: Sql, most: Sql | undefined): Sql =>
  most === undefined ? list : sql`(CASE WHEN ${most} > 0 THEN list_slice(${list}, 1, ${most}) ELSE ${list} END)`;

/** The parts of a text that hold no separator; there are no empty ones. */
const words = (name: string, separators: Sql): Scalar =>
  scalar({
    name,
    takes: ["text", "integer"],
    optional: 1,
    type: TEXTS,
    nulls: "never",
    sql: (x, most) => limited(sql`regexp_extract_all(coalesce(${x}, ''), '[^${separators}]+')`, most),
  });

/** The elements as texts, without those that are NULL. */
const elementTexts = (context: LoweringContext, list: Expression | undefined): Sql => {
  if (list?.type.kind !== "array" || list.type.of.kind === "string" || list.type.of.kind === "json") return list?.tree ?? sql`[]`;
  const item = argument();
  const text = toText(context, { tree: item, type: list.type.of, nullable: true });
  return sql`list_transform(${list.tree}, ${lambda([item], text.tree)})`;
};

const join: Scalar = {
  kind: "scalar",
  name: "arrayStringConcat",
  aliases: ["array_to_string"],
  takes: ["array", "constant text"],
  optional: 1,
  lower: (args, context) => derive(sql`array_to_string(${elementTexts(context, args[0])}, ${args[1]?.tree ?? sql`''`})`, STRING, args),
};

/** The text before the n-th separator, or from the n-th last one on. */
const substringIndex = scalar({
  name: "substringIndex",
  aliases: ["SUBSTRING_INDEX"],
  takes: ["text", "constant text", "integer"],
  type: STRING,
  sql: (x, separator, n) => {
    const parts = sql`string_split(${x}, ${separator})`;
    return sql`coalesce(array_to_string(CASE WHEN ${n} > 0 THEN list_slice(${parts}, 1, ${n}) WHEN ${n} < 0 THEN list_slice(${parts}, ${n}, -1) END, ${separator}), '')`;
  },
});

/** Texts to arrays and back. */
export const SPLITS: readonly FunctionSpec[] = [
  split("splitByChar", sql`string_split`),
  split("splitByString", sql`string_split`),
  split("splitByRegexp", sql`regexp_split_to_array`, "pattern"),
  words("splitByWhitespace", sql`\\s`),
  words("splitByNonAlpha", sql`\\s!-/:-@\\[-\`{-~`),
  scalar({
    name: "alphaTokens",
    aliases: ["splitByAlpha"],
    takes: ["text", "integer"],
    optional: 1,
    type: TEXTS,
    sql: (x, most) => limited(sql`regexp_extract_all(${x}, '[A-Za-z]+')`, most),
  }),
  join,
  substringIndex,
];
