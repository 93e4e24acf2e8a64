import { numeral, type Sql, sql } from "../../sql/fragment.ts";
import { FLOAT, UINT64 } from "../../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import { asciiLower } from "./bytes.ts";

/** Characters of one n-gram: 4, or 3 of the functions that know UTF-8. */
const GRAM = 4;
const UTF8_GRAM = 3;

/** How often each n-gram stands in the text, as a map. */
const gramsOf = (x: Sql, size: number): Sql =>
  sql`list_histogram(list_transform(range(1, length(${x}) - ${numeral(size - 2)}), lambda i: substring(${x}, i, ${numeral(size)})))`;

/** How many n-grams the texts have in common, and how many each has. */
const compared = (a: Sql, b: Sql, size: number) => {
  const [left, right] = [gramsOf(a, size), gramsOf(b, size)];
  const shared = sql`coalesce(list_sum(list_transform(map_entries(${left}), lambda g: least(CAST(g.value AS BIGINT), coalesce(CAST(map_extract_value(${right}, g.key) AS BIGINT), 0)))), 0)`;
  const count = (x: Sql): Sql => sql`greatest(length(${x}) - ${numeral(size - 1)}, 0)`;
  return { shared, left: count(a), right: count(b) };
};

/** The share of n-grams that only one of the texts has. */
const distance = (a: Sql, b: Sql, size: number): Sql => {
  const { shared, left, right } = compared(a, b, size);
  return sql`(CASE WHEN ${a} IS NOT NULL AND ${b} IS NOT NULL THEN (${left} + ${right} - 2 * ${shared}) / greatest(${left} + ${right}, 1)::DOUBLE END)`;
};

const ngram = (name: string, size: number, fold: (x: Sql) => Sql): Scalar =>
  scalar({ name, takes: ["text", "text"], type: FLOAT, sql: (a, b) => distance(fold(a), fold(b), size) });

const measure = (name: string, duckdb: Sql, type: typeof FLOAT, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, takes: ["text", "text"], type, sql: (a, b) => sql`${duckdb}(${a}, ${b})` });

const same = (x: Sql): Sql => x;

/** How far two texts are from each other. Characters count where ClickHouse counts bytes. */
export const SIMILARITY: readonly FunctionSpec[] = [
  ngram("ngramDistance", GRAM, same),
  ngram("ngramDistanceCaseInsensitive", GRAM, asciiLower),
  ngram("ngramDistanceUTF8", UTF8_GRAM, same),
  ngram("ngramDistanceCaseInsensitiveUTF8", UTF8_GRAM, (x) => sql`lower(${x})`),
  measure("levenshteinDistance", sql`levenshtein`, UINT64, "editDistance", "levenshteinDistanceUTF8", "editDistanceUTF8"),
  measure("damerauLevenshteinDistance", sql`damerau_levenshtein`, UINT64),
  measure("jaroSimilarity", sql`jaro_similarity`, FLOAT),
  measure("jaroWinklerSimilarity", sql`jaro_winkler_similarity`, FLOAT),
];
