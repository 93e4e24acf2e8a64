import { type Position, QueryError } from "../errors.ts";

/** Longest query text, in UTF-16 units. */
const MAX_LENGTH = 100_000;
/** Most tokens: what the parser takes a fraction of a second for. */
const MAX_TOKENS = 10_000;
/**
 * Deepest nesting of brackets, CASEs, arrows of lambdas and branches of `a ? b : c` and, separately, the longest run of prefix
 * operators and the longest name with dots. The parser's time grows with the square of these and worse: calls nested this deep take
 * it a second, and calls of lambdas many times as long.
 */
const MAX_NESTING = 24;
/** Quotes and comments that have no end: the rest of the text is looked through for each. A template may hold some that only seem so. */
const MAX_UNCLOSED = 8;

/** Forms that the language's parser swallows without a trace, so that the answer would silently be another query's. */
const SWALLOWED = new Set(["TOTALS", "ROLLUP", "CUBE"]);

/** Words, literals, signs, and what stands between them. */
export const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.|``)*`|[A-Za-z_$][\w$]*|\d[\w.]*|[^\s\w]/g;

/** The words that the tree must account for, and the text as the parser is to read it: every place in it is where its author put it. */
export interface TextCounts {
  readonly orderBys: number;
  readonly text: string;
}

/**
 * One linear pass before the parser sees the text: bounds its work, refuses what the parser would drop, counts what it might.
 * The rules stand together because they are asked of the same token in one loop, and several read what another has counted.
 */
export const guardText = (text: string): TextCounts => {
  if (text.length > MAX_LENGTH) throw new QueryError("too_complex", `The query is longer than ${MAX_LENGTH} characters.`);
  if (text.trim() === "") throw new QueryError("syntax_error", "The query is empty.");
  if (OUR_CHARACTERS.test(text)) throw new QueryError("syntax_error", "The query holds a character (U+FDD0 or U+FDD1) that is none.");
  if (!text.isWellFormed())
    throw new QueryError("syntax_error", "The query holds half of a character (a surrogate without its other half).");
  let tokens = 0;
  let unclosed = 0;
  let nesting = 0;
  let prefixes = 0;
  let dots = 0;
  let orderBys = 0;
  let previous = "";
  /** The levels that arrows and branches add to the nesting, for each bracket that is open: they reach to its end, or to the next comma. */
  const reaching = [0];
  const before: { readonly word: string; readonly at: number }[] = [];
  const changes: Change[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    if (/^(\s|--|\/\*)/.test(token)) continue;
    tokens += 1;
    if (/^['"`]$/.test(token) || (token === "/" && text[match.index + 1] === "*")) unclosed += 1;
    if (unclosed > MAX_UNCLOSED) throw new QueryError("syntax_error", "A quote or comment has no end.", place(text, match.index));
    if ("([{".includes(token)) {
      nesting += 1;
      reaching.push(0);
    }
    if (")]}".includes(token)) nesting -= 1 + (reaching.length > 1 ? (reaching.pop() ?? 0) : 0);
    if (token === ",") {
      nesting -= reaching.at(-1) ?? 0;
      reaching[reaching.length - 1] = 0;
    }
    if (isArrow(text, match.index) || (token === "?" && previous !== "?")) {
      nesting += 1;
      reaching[reaching.length - 1] = (reaching.at(-1) ?? 0) + 1;
    }
    prefixes = /^(not|-|~)$/i.test(token) ? prefixes + 1 : 0;
    if (token.startsWith("'")) changes.push(...keptEscapes(token, match.index));
    const word = token.toUpperCase();
    if (word === "CASE") nesting += 1;
    if (word === "END" && nesting > 0) nesting -= 1;
    if (token === ".") dots += 1;
    else if (previous !== ".") dots = 0;
    if (tokens > MAX_TOKENS) throw new QueryError("too_complex", `The query has more than ${MAX_TOKENS} words and signs.`);
    if (nesting > MAX_NESTING || prefixes > MAX_NESTING || dots > MAX_NESTING) {
      throw new QueryError("too_complex", `The query is nested deeper than ${MAX_NESTING} levels.`, place(text, match.index));
    }
    if (previous === "WITH" && SWALLOWED.has(word))
      throw new QueryError(
        "unsupported",
        `WITH ${word} is not supported: ${word === "TOTALS" ? "add the totals with UNION ALL" : `write GROUP BY ${word}(…)`}.`,
        place(text, match.index),
      );
    if (previous === "DISTINCT" && word === "ON")
      throw new QueryError(
        "unsupported",
        "DISTINCT ON is not supported: use `LIMIT 1 BY` with the same columns.",
        place(text, match.index),
      );
    if (previous === "ORDER" && word === "BY") orderBys += 1;
    if (word === "FROM") changes.push(...extraction(before, match.index));
    before.push({ word, at: match.index });
    if (before.length > EXTRACT_WORDS) before.shift();
    previous = word;
  }
  return { orderBys, text: changed(text, changes) };
};

/** The `>` of `->`. */
const isArrow = (text: string, at: number): boolean => text[at] === ">" && text[at - 1] === "-";

interface Change {
  readonly at: number;
  readonly text: string;
}

const EXTRACT_WORDS = 3;

/** `EXTRACT(YEAR FROM x)`, which the parser does not know, as a call of the same length that nobody else can write. */
const extraction = (before: readonly { readonly word: string; readonly at: number }[], from: number): readonly Change[] => {
  const [name, bracket, unit] = before;
  if (name?.word !== "EXTRACT" || bracket?.word !== "(" || unit === undefined || !EXTRACTED_UNITS.has(unit.word)) return [];
  return [
    { at: name.at, text: EXTRACT_CALL },
    { at: from, text: ",   " },
  ];
};

/** Stands for a backslash that is part of a text; the parser refuses escapes that it does not know, and keeps this. */
export const KEPT_BACKSLASH = "\uFDD0";

/** Begins the name of a placeholder that stands for a piece of the text. */
export const PIECE_MARK = "\uFDD1";

const OUR_CHARACTERS = /[\uFDD0\uFDD1]/;

/** The backslashes of escapes that are none: they stay in the text with what follows, as patterns need it (`\%`, `\d`). */
const keptEscapes = (literal: string, at: number): readonly Change[] =>
  [...literal.matchAll(/\\([\s\S])/g)].flatMap(({ 1: escaped = "", index }) =>
    KNOWN_ESCAPES.has(escaped) ? [] : [{ at: at + index, text: KEPT_BACKSLASH }],
  );

const KNOWN_ESCAPES: ReadonlySet<string> = new Set("bfrnt0avx'\\");

/** The name of the call that stands for `EXTRACT(unit FROM x)`. */
export const EXTRACT_CALL = "_exFrom";

/** Units of EXTRACT, and the function that each stands for. */
export const EXTRACTED_UNITS: ReadonlyMap<string, string> = new Map([
  ["YEAR", "toYear"],
  ["QUARTER", "toQuarter"],
  ["MONTH", "toMonth"],
  ["WEEK", "toISOWeek"],
  ["DAY", "toDayOfMonth"],
  ["HOUR", "toHour"],
  ["MINUTE", "toMinute"],
  ["SECOND", "toSecond"],
]);

/** Each change is as long as what it stands for. One behind the other, because a text may hold fifty thousand. */
const changed = (text: string, changes: readonly Change[]): string => {
  const pieces: string[] = [];
  let end = 0;
  for (const change of changes.toSorted((a, b) => a.at - b.at)) {
    pieces.push(text.slice(end, change.at), change.text);
    end = change.at + change.text.length;
  }
  return pieces.join("") + text.slice(end);
};

/** Line and column of an offset. */
export const place = (text: string, offset: number): Position => {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1)?.length ?? 0 };
};
