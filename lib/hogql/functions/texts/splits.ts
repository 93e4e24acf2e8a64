import { type Expression, made } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import { arrayOf, STRING } from "../../analysis/types.ts";
import { toText } from "../casts/printed.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";

const TEXTS = arrayOf(STRING);

/** `split(separator, text[, most])`: the parts beyond the most are left out. */
const split = (name: string, duckdb: string, ...aliases: readonly string[]): Scalar =>
  scalar({
    name,
    aliases,
    takes: ["text", "text", "integer"],
    optional: 1,
    type: TEXTS,
    nulls: "never",
    sql: ([separator, x, most]) => limited(`${duckdb}(coalesce(${x}, ''), ${separator})`, most),
  });

const limited = (list: string, most: string | undefined): string =>
  most === undefined ? list : `(CASE WHEN ${most} > 0 THEN list_slice(${list}, 1, ${most}) ELSE ${list} END)`;

/** The parts of a text that hold no separator; there are no empty ones. */
const words = (name: string, separators: string): Scalar =>
  scalar({
    name,
    takes: ["text", "integer"],
    optional: 1,
    type: TEXTS,
    nulls: "never",
    sql: ([x, most]) => limited(`regexp_extract_all(coalesce(${x}, ''), '[^${separators}]+')`, most),
  });

/** The elements as texts, without those that are NULL. */
const textsOf = (run: Run, list: Expression | undefined): string => {
  if (list?.type.kind !== "array" || list.type.of.kind === "string" || list.type.of.kind === "json") return list?.sql ?? "[]";
  const item = run.fresh("x");
  const text = toText(run, { sql: item, type: list.type.of, nullable: true });
  return `list_transform(${list.sql}, lambda ${item}: ${text.sql})`;
};

const join: Scalar = {
  kind: "scalar",
  name: "arrayStringConcat",
  aliases: ["array_to_string"],
  takes: ["array", "constant text"],
  optional: 1,
  lower: (args, run) => made(`array_to_string(${textsOf(run, args[0])}, ${args[1]?.sql ?? "''"})`, STRING, args),
};

/** The text before the n-th separator, or from the n-th last one on. */
const substringIndex = scalar({
  name: "substringIndex",
  aliases: ["SUBSTRING_INDEX"],
  takes: ["text", "constant text", "integer"],
  type: STRING,
  sql: ([x, separator, n]) => {
    const parts = `string_split(${x}, ${separator})`;
    return `coalesce(array_to_string(CASE WHEN ${n} > 0 THEN list_slice(${parts}, 1, ${n}) WHEN ${n} < 0 THEN list_slice(${parts}, ${n}, -1) END, ${separator}), '')`;
  },
});

/** Texts to arrays and back. */
export const SPLITS: readonly FunctionSpec[] = [
  split("splitByChar", "string_split"),
  split("splitByString", "string_split"),
  split("splitByRegexp", "regexp_split_to_array"),
  words("splitByWhitespace", "\\s"),
  words("splitByNonAlpha", "\\s!-/:-@\\[-`{-~"),
  scalar({
    name: "alphaTokens",
    aliases: ["splitByAlpha"],
    takes: ["text", "integer"],
    optional: 1,
    type: TEXTS,
    sql: ([x, most]) => limited(`regexp_extract_all(${x}, '[A-Za-z]+')`, most),
  }),
  join,
  substringIndex,
];
