import { QueryError } from "../errors.ts";
import { type Expression, made } from "../expression.ts";
import type { Run } from "../run.ts";
import { arrayOf, BOOLEAN, STRING, type Type, UINT8, UINT64 } from "../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";
import type { Take } from "./take.ts";

const of = (
  name: string,
  takes: readonly Take[],
  type: Type,
  sql: (...args: readonly string[]) => string,
  ...aliases: readonly string[]
): Scalar => scalar({ name, aliases, takes, type, sql: (args) => sql(...args) });

/** A place counts from 1; 0 when nothing is found. With a start, the search begins there. */
const position = (name: string, folded: boolean, turned: boolean, ...aliases: readonly string[]): Scalar =>
  scalar({
    name,
    aliases,
    takes: ["text", "text", "integer"],
    optional: 1,
    type: UINT64,
    sql: ([first, second, start]) => {
      const [haystack, needle] = turned ? [second, first] : [first, second];
      const [text, part] = folded ? [`lower(${haystack})`, `lower(${needle})`] : [haystack, needle];
      if (start === undefined) return `strpos(${text}, ${part})`;
      const found = `strpos(substring(${text}, ${start}), ${part})`;
      return `(CASE WHEN ${found} = 0 THEN 0 ELSE ${found} + ${start} - 1 END)`;
    },
  });

const anyOf = (name: string, test: (x: string, part: string) => string): Scalar =>
  scalar({
    name,
    takes: ["text", "array"],
    type: UINT8,
    sql: ([x = "", list = ""]) => `CAST(coalesce(list_bool_or(list_transform(${list}, lambda p: ${test(x, "p")})), false) AS BIGINT)`,
  });

/** The first group of the pattern, or all of the match when it has none. */
const extraction = (
  run: Run,
  text: Expression | undefined,
  regex: Expression | undefined,
  sql: (x: string, regex: string, group: string) => string,
  type: Type,
): Expression => {
  const value = text ?? run.known(null, STRING);
  const pattern = String(regex?.known);
  const unescaped = pattern.replaceAll(/\\./g, "").replaceAll(/\[[^\]]*\]/g, "");
  const grouped = /\((?!\?)|\(\?P?</.test(unescaped);
  return made(sql(value.sql, `${run.bind(pattern)}::VARCHAR`, grouped ? "1" : "0"), type, [value]);
};

/** The groups of each match, match by match. */
const allGroups = (run: Run, text: Expression | undefined, regex: Expression | undefined): Expression => {
  const value = text ?? run.known(null, STRING);
  const pattern = String(regex?.known);
  const unescaped = pattern.replaceAll(/\\./g, "").replaceAll(/\[[^\]]*\]/g, "");
  const groups = unescaped.match(/\((?!\?)|\(\?P?</g)?.length ?? 0;
  if (groups === 0) throw new QueryError("invalid_input", "The pattern of `extractAllGroups` needs a group in parentheses.");
  const bound = `${run.bind(pattern)}::VARCHAR`;
  const found = Array.from({ length: groups }, (_, index) => `regexp_extract_all(${value.sql}, ${bound}, ${index + 1}, 's')`);
  const fields = found.map((_, index) => `coalesce(struct_extract(z, ${index + 1}), '')`).join(", ");
  return made(`list_transform(list_zip(${found.join(", ")}), lambda z: [${fields}])`, arrayOf(arrayOf(STRING)), [value]);
};

export const SEARCH: readonly FunctionSpec[] = [
  position("position", false, false),
  position("positionCaseInsensitive", true, false),
  position("positionUTF8", false, false),
  position("locate", false, true),
  anyOf("multiMatchAny", (x, part) => `regexp_matches(${x}, ${part}, 's')`),
  anyOf("multiSearchAny", (x, part) => `contains(${x}, ${part})`),
  anyOf("multiSearchAnyCaseInsensitive", (x, part) => `contains(lower(${x}), lower(${part}))`),
  {
    kind: "scalar",
    name: "extract",
    takes: ["text", "constant text"],
    lower: ([text, regex], run) =>
      extraction(run, text, regex, (x, re, at) => `coalesce(regexp_extract(${x}, ${re}, ${at}, 's'), '')`, STRING),
  },
  {
    kind: "scalar",
    name: "extractAll",
    takes: ["text", "constant text"],
    lower: ([text, regex], run) =>
      extraction(run, text, regex, (x, re, at) => `regexp_extract_all(${x}, ${re}, ${at}, 's')`, arrayOf(STRING)),
  },
  {
    kind: "scalar",
    name: "extractAllGroups",
    aliases: ["extractAllGroupsVertical"],
    takes: ["text", "constant text"],
    lower: ([text, regex], run) => allGroups(run, text, regex),
  },
  of("countSubstrings", ["text", "text"], UINT64, (x, part) => `((length(${x}) - length(replace(${x}, ${part}, ''))) // length(${part}))`),
  of("countMatches", ["text", "text"], UINT64, (x, regex) => `len(regexp_extract_all(${x}, ${regex}, 0, 's'))`),
  of("levenshteinDistance", ["text", "text"], UINT64, (a, b) => `levenshtein(${a}, ${b})`, "editDistance"),
  of(
    "hasSubsequence",
    ["text", "text"],
    BOOLEAN,
    (x, part) => `regexp_matches(${x}, array_to_string(list_transform(string_split(${part}, ''), lambda c: regexp_escape(c)), '.*'), 's')`,
  ),
];
