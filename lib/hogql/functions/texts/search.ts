import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { compilePattern } from "../../regex.ts";
import { NULL_SQL, numeral, parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayType, BOOLEAN, FLOAT, STRING, type Type, UINT8, UINT64 } from "../../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import type { Take } from "../take.ts";
import { asciiLower, characterPlace, cut, type Unit } from "./bytes.ts";

const of = (
  name: string,
  takes: readonly Take[],
  type: Type,
  tree: (...args: readonly Sql[]) => Sql,
  ...aliases: readonly string[]
): Scalar => scalar({ name, aliases, takes, type, sql: tree });

interface PositionRule {
  readonly unit: Unit;
  readonly fold?: (x: Sql) => Sql;
  /** The needle comes first. */
  readonly turned?: true;
}

const LOWER = (x: Sql): Sql => sql`lower(${x})`;

/** A place counts from 1; 0 when nothing is found. With a start, the search begins there. */
const position = (name: string, { unit, fold, turned }: PositionRule, ...aliases: readonly string[]): Scalar =>
  scalar({
    name,
    aliases,
    anyCase: true,
    takes: ["text", "text", "integer"],
    optional: 1,
    type: UINT64,
    sql: (first, second, start) => {
      const [haystack, needle] = turned ? [second, first] : [first, second];
      const [text, part] = fold === undefined ? [haystack, needle] : [fold(haystack), fold(needle)];
      if (start === undefined) return characterPlace(text, part, unit);
      const from = sql`greatest(${start}, 1)`;
      const found = characterPlace(cut(text, from, undefined, unit), part, unit);
      // Behind the end there is nothing, not even an empty text.
      const isBehind = sql`${from} > ${unit === "bytes" ? sql`strlen` : sql`length`}(${text}) + 1`;
      return sql`(CASE WHEN ${start} IS NULL THEN NULL WHEN ${found} = 0 OR ${isBehind} THEN 0 ELSE ${found} + ${from} - 1 END)`;
    },
  });

const anyMatch = (name: string, test: (x: Sql, part: Sql) => Sql, list: "texts" | "patterns" = "texts"): Scalar =>
  scalar({
    name,
    takes: ["text", list],
    type: UINT8,
    sql: (x, list) =>
      sql`CAST(CASE WHEN ${x} IS NOT NULL THEN coalesce(list_bool_or(list_transform(${list}, lambda p: ${test(x, sql`p`)})), false) END AS BIGINT)`,
  });

/** The place in the list, from 1, of the first part that is found. */
const firstIndex = (name: string, test: (x: Sql, part: Sql) => Sql, list: "texts" | "patterns" = "texts"): Scalar =>
  scalar({
    name,
    takes: ["text", list],
    type: UINT64,
    sql: (x, list) => sql`coalesce(list_position(list_transform(${list}, lambda p: ${test(x, sql`p`)}), true), 0)`,
  });

/** Where each part begins. */
const places = (name: string, fold: (x: Sql) => Sql): Scalar =>
  of(
    name,
    ["text", "texts"],
    arrayType(UINT64),
    (x, list) => sql`list_transform(${list}, lambda p: ${characterPlace(fold(x), fold(sql`p`), "bytes")})`,
  );

const firstPlace = (name: string, fold: (x: Sql) => Sql): Scalar =>
  of(
    name,
    ["text", "texts"],
    UINT64,
    (x, list) =>
      sql`coalesce(list_min(list_filter(list_transform(${list}, lambda p: ${characterPlace(fold(x), fold(sql`p`), "bytes")}), lambda n: n > 0)), 0)`,
  );

const same = (x: Sql): Sql => x;

/** How many groups a pattern has. */
const groupsIn = (pattern: string): number => compilePattern(pattern).groups;

/** The first group of the pattern, or all of the match when it has none. */
const extraction = (
  context: LoweringContext,
  text: Expression | undefined,
  regex: Expression | undefined,
  tree: (x: Sql, regex: Sql, group: Sql) => Sql,
  type: Type,
): Expression => {
  const value = text ?? context.known(null, STRING);
  const pattern = String(regex?.known);
  return derive(tree(value.tree, sql`${parameter(pattern)}::VARCHAR`, groupsIn(pattern) > 0 ? sql`1` : sql`0`), type, [value]);
};

/** Each group of a pattern, as DuckDB text made of the value, the pattern and the group's number. */
const eachGroup = (
  name: string,
  type: Type,
  tree: (groups: readonly Sql[]) => Sql,
  group: (x: Sql, re: Sql, index: number) => Sql,
  ...aliases: readonly string[]
): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["text", "constant pattern"],
  lower: ([text, regex], context) => {
    const value = text ?? context.known(null, STRING);
    const pattern = String(regex?.known);
    const count = groupsIn(pattern);
    if (count === 0) throw new QueryError("invalid_input", `The pattern of \`${name}\` needs a group in parentheses.`);
    const bound = sql`${parameter(pattern)}::VARCHAR`;
    return derive(tree(Array.from({ length: count }, (_, index) => group(value.tree, bound, index + 1))), type, [value]);
  },
});

const allOfGroup = (x: Sql, re: Sql, index: number): Sql => sql`regexp_extract_all(${x}, ${re}, ${numeral(index)}, 's')`;

const perMatch = (groups: readonly Sql[]): Sql => {
  const fields = separated(groups.map((_, index) => sql`coalesce(struct_extract(z, ${numeral(index + 1)}), '')`));
  return sql`list_transform(list_zip(${separated(groups)}), lambda z: [${fields}])`;
};

const regexpExtract: Scalar = {
  kind: "scalar",
  name: "regexpExtract",
  aliases: ["REGEXP_EXTRACT"],
  takes: ["text", "constant pattern", "constant integer"],
  optional: 1,
  lower: ([text, regex, index], context) => {
    const value = text ?? context.known(null, STRING);
    const group = Number(index?.known ?? 1);
    if (!Number.isInteger(group) || group < 0 || group > groupsIn(String(regex?.known)))
      throw new QueryError("invalid_input", "The pattern of `regexpExtract` has no group of this number.");
    return derive(sql`coalesce(regexp_extract(${value.tree}, ${regex?.tree ?? NULL_SQL}, ${numeral(group)}, 's'), '')`, STRING, [value]);
  },
};

const substrings = (x: Sql, part: Sql): Sql =>
  sql`(CASE WHEN ${part} = '' THEN 0 ELSE (strlen(${x}) - strlen(replace(${x}, ${part}, ''))) // greatest(strlen(${part}), 1) END)`;

const matchCount = (x: Sql, regex: Sql): Sql => sql`len(list_filter(regexp_extract_all(${x}, ${regex}, 0, 's'), lambda m: m <> ''))`;

export const SEARCH: readonly FunctionSpec[] = [
  position("position", { unit: "bytes" }),
  position("positionCaseInsensitive", { unit: "bytes", fold: asciiLower }),
  position("positionUTF8", { unit: "characters" }),
  position("positionCaseInsensitiveUTF8", { unit: "characters", fold: LOWER }),
  position("locate", { unit: "bytes", turned: true }),
  anyMatch("multiMatchAny", (x, part) => sql`regexp_matches(${x}, ${part}, 's')`, "patterns"),
  anyMatch("multiSearchAny", (x, part) => sql`contains(${x}, ${part})`),
  anyMatch("multiSearchAnyCaseInsensitive", (x, part) => sql`contains(${asciiLower(x)}, ${asciiLower(part)})`),
  anyMatch("multiSearchAnyUTF8", (x, part) => sql`contains(${x}, ${part})`),
  anyMatch("multiSearchAnyCaseInsensitiveUTF8", (x, part) => sql`contains(lower(${x}), lower(${part}))`),
  firstIndex("multiMatchAnyIndex", (x, part) => sql`regexp_matches(${x}, ${part}, 's')`, "patterns"),
  firstIndex("multiSearchFirstIndex", (x, part) => sql`contains(${x}, ${part})`),
  firstIndex("multiSearchFirstIndexCaseInsensitive", (x, part) => sql`contains(${asciiLower(x)}, ${asciiLower(part)})`),
  places("multiSearchAllPositions", same),
  places("multiSearchAllPositionsCaseInsensitive", asciiLower),
  firstPlace("multiSearchFirstPosition", same),
  firstPlace("multiSearchFirstPositionCaseInsensitive", asciiLower),
  {
    kind: "scalar",
    name: "extract",
    takes: ["text", "constant pattern"],
    lower: ([text, regex], context) =>
      extraction(
        context,
        text,
        regex,
        (x, re, at) => sql`(CASE WHEN ${x} IS NOT NULL THEN coalesce(regexp_extract(${x}, ${re}, ${at}, 's'), '') END)`,
        STRING,
      ),
  },
  {
    kind: "scalar",
    name: "extractAll",
    takes: ["text", "constant pattern"],
    lower: ([text, regex], context) =>
      extraction(context, text, regex, (x, re, at) => sql`coalesce(regexp_extract_all(${x}, ${re}, ${at}, 's'), [])`, arrayType(STRING)),
  },
  eachGroup("extractAllGroups", arrayType(arrayType(STRING)), perMatch, allOfGroup, "extractAllGroupsVertical"),
  eachGroup("extractAllGroupsHorizontal", arrayType(arrayType(STRING)), (groups) => sql`[${separated(groups)}]`, allOfGroup),
  eachGroup("extractGroups", arrayType(STRING), (groups) => sql`coalesce(list_extract(${perMatch(groups)}, 1), []::VARCHAR[])`, allOfGroup),
  regexpExtract,
  of("countSubstrings", ["text", "text"], UINT64, (x, part) => substrings(x, part)),
  of("countSubstringsCaseInsensitive", ["text", "text"], UINT64, (x, part) => substrings(asciiLower(x), asciiLower(part))),
  of("countMatches", ["text", "pattern"], UINT64, (x, regex) => matchCount(x, regex)),
  of("countMatchesCaseInsensitive", ["text", "pattern"], UINT64, (x, regex) => matchCount(x, sql`('(?i)' || ${regex})`)),
  of(
    "hasSubsequence",
    ["text", "text"],
    BOOLEAN,
    (x, part) =>
      sql`regexp_matches(${x}, array_to_string(list_transform(string_split(${part}, ''), lambda c: regexp_escape(c)), '.*'), 's')`,
  ),
];

/** Characters of one n-gram: 4, or 3 of the functions that know UTF-8. */
const GRAM = 4;
const UTF8_GRAM = 3;

/** How often each n-gram stands in the text, as a map. */
const ngramCounts = (x: Sql, size: number): Sql =>
  sql`list_histogram(list_transform(range(1, length(${x}) - ${numeral(size - 2)}), lambda i: substring(${x}, i, ${numeral(size)})))`;

/** How many n-grams the texts have in common, and how many each has. */
const compared = (a: Sql, b: Sql, size: number) => {
  const [left, right] = [ngramCounts(a, size), ngramCounts(b, size)];
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
