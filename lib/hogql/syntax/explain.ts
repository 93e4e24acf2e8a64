import { nearest } from "../../core/suggest.ts";
import { type Position, QueryError } from "../errors.ts";
import { place, TOKEN } from "./guard-text.ts";

const KEYWORDS: readonly string[] = [
  ...["SELECT", "DISTINCT", "FROM", "JOIN", "PREWHERE", "WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER", "LIMIT", "OFFSET"],
  ...["UNION", "INTERSECT", "EXCEPT", "BETWEEN", "INTERVAL", "WITH"],
];

/** Keywords are misspelt by no more than this many words before the place where the parser gives up. */
const LOOK_BACK = 3;

/** The refusal of a text that could not be parsed, in words for its author: the parser's own name its rules, and stop behind the culprit. */
export const explainError = (error: QueryError, text: string): QueryError => {
  if (error.code !== "syntax_error" && error.code !== "unsupported") return error;
  const tokens = tokenize(text);
  const foreign = foreignForm(tokens);
  if (foreign !== undefined) return new QueryError("unsupported", foreign.sentence, place(text, foreign.at));
  if (error.code === "unsupported" || error.position === undefined) return error;
  const stopped = tokens.findIndex(({ at }) => isFrom(place(text, at), error.position));
  const last = stopped < 0 ? tokens.length - 1 : stopped;
  const unnamed = stopped < 0 ? undefined : unnamedArray(tokens.slice(0, stopped));
  if (unnamed !== undefined) return new QueryError("syntax_error", NAMED_ARRAYS, place(text, tokens[stopped]?.at ?? unnamed));
  for (let index = last; index >= Math.max(0, last - LOOK_BACK); index -= 1) {
    const { word, at } = tokens[index] ?? { word: "", at: 0 };
    const named = /^(AS|\.)$/.test(tokens[index - 1]?.word ?? "");
    const meant = named || KEYWORDS.includes(word) ? undefined : keywordNear(word);
    if (meant !== undefined)
      return new QueryError("syntax_error", `Unknown word \`${wordAt(text, at)}\`. Did you mean ${meant}?`, place(text, at));
  }
  const token = tokens[stopped];
  if (token === undefined) return new QueryError("syntax_error", "The query ends too early.", error.position);
  if (/^['"`]$/.test(token.word)) return new QueryError("syntax_error", "A quote has no end.", place(text, token.at));
  return new QueryError("syntax_error", `\`${wordAt(text, token.at)}\` cannot stand here.`, place(text, token.at));
};

const NAMED_ARRAYS = "Every array of ARRAY JOIN needs a name: write ARRAY JOIN tags AS tag.";

/** Where an ARRAY JOIN stands at whose beginning, or behind whose comma, the tokens end: the parser wants a name for what follows. */
const unnamedArray = (tokens: readonly Token[]): number | undefined => {
  const words = tokens.map(({ word }) => word);
  const join = words.lastIndexOf("JOIN");
  if (words[join - 1] !== "ARRAY") return undefined;
  const between = words.slice(join + 1);
  const isNext = between.length === 0 || (between.at(-1) === "," && !between.some((word) => KEYWORDS.includes(word)));
  return isNext ? tokens[join]?.at : undefined;
};

const isFrom = (one: Position, other: Position | undefined): boolean =>
  other !== undefined && (one.line > other.line || (one.line === other.line && one.column >= other.column));

const tokenize = (text: string): readonly Token[] =>
  [...text.matchAll(TOKEN)].flatMap(({ 0: token, index }) =>
    /^(\s|--|\/\*)/.test(token) ? [] : [{ word: token.toUpperCase(), at: index }],
  );

/** A letter too many, missing, wrong or exchanged with its neighbour: words of a tenant's own are often further from all keywords. */
const keywordNear = (word: string): string | undefined =>
  /^[A-Z]{4,}$/.test(word)
    ? nearest(
        word,
        KEYWORDS.filter((keyword) => Math.abs(keyword.length - word.length) <= 1),
        1,
      )
    : undefined;

const MAX_SHOWN = 40;

const wordAt = (text: string, at: number): string => {
  const [token = ""] = text.slice(at, at + MAX_SHOWN).match(TOKEN) ?? [];
  return token;
};

/** A word or sign of a query, in capitals where it is a word, and where it stands. */
export interface Token {
  readonly word: string;
  readonly at: number;
}

/** A form of another dialect: the words by which it is known, from a place on, and what to write instead. */
interface ForeignForm {
  readonly words: readonly RegExp[];
  /** At the beginning of the query only. */
  readonly first?: true;
  readonly instead: (words: readonly string[]) => string;
}

const READS_ONLY = "A query only reads: begin it with SELECT or WITH.";
const TABLES = "the tables are events, persons, groups, sessions and person_distinct_ids, and `SELECT * FROM events LIMIT 1` shows columns";
const UNITS = /^(SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)S$/;

const FORMS: readonly ForeignForm[] = [
  { words: [/^SELECT$/, /^TOP$/, /^\d+$/], instead: ([, , n]) => `TOP is not supported: write LIMIT ${n} at the end of the query.` },
  {
    words: [/^WITHIN$/, /^GROUP$/],
    instead: () => "WITHIN GROUP is not supported: write quantile(0.5)(x) for a percentile, or arraySort(groupArray(x)) for a sorted list.",
  },
  { words: [/^INTERVAL$/, /./, UNITS], instead: ([, n, unit]) => `Write the unit in the singular: INTERVAL ${n} ${unit?.slice(0, -1)}.` },
  { words: [/^\*$/, /^EXCEPT$/], instead: () => "Columns are left out by * EXCLUDE (a, b)." },
  { words: [/^\*$/, /^REPLACE$/], instead: () => "REPLACE is not supported: name the columns." },
  { words: [/^AT$/, /^TIME$/, /^ZONE$/], instead: () => "AT TIME ZONE is not supported: write toTimeZone(time, 'Europe/Berlin')." },
  { words: [/^FETCH$/, /^(FIRST|NEXT)$/], instead: () => "FETCH is not supported: write LIMIT n at the end of the query." },
  { words: [/^(ORDER|GROUP)$/, /^(?!BY$)[A-Z_]/], instead: ([word]) => `${word} wants BY behind it: write ${word} BY.` },
  { words: [/^AS$/, /^TEAM_ID$/], instead: () => "`team_id` cannot be an alias: every query sees its own project alone." },
  { words: [/^SHOW$/], first: true, instead: () => `SHOW is not supported: ${TABLES}.` },
  { words: [/^(DESCRIBE|DESC)$/], first: true, instead: ([word]) => `${word} is not supported: ${TABLES}.` },
  { words: [/^EXPLAIN$/], first: true, instead: () => "EXPLAIN is not supported: run the query, and see how long it took in its logs." },
  {
    words: [/^(INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|TRUNCATE|MERGE|REPLACE|GRANT)$/],
    first: true,
    instead: ([word]) => `${word} is not supported. ${READS_ONLY}`,
  },
];

/** The first form of another dialect, with the form to write instead. */
const foreignForm = (tokens: readonly Token[]): { readonly sentence: string; readonly at: number } | undefined => {
  for (const [place, token] of tokens.entries()) {
    for (const { words, first, instead } of FORMS) {
      if (first && place > 0) continue;
      const found = tokens.slice(place, place + words.length).map(({ word }) => word);
      if (found.length < words.length || !words.every((word, index) => word.test(found[index] ?? ""))) continue;
      // Of `SELECT TOP` it is the second word that is foreign.
      const culprit = token.word === "SELECT" ? tokens[place + 1] : token;
      return { sentence: instead(found), at: culprit?.at ?? token.at };
    }
  }
  return undefined;
};
