import { nearest } from "../../core/suggest.ts";
import { type Position, QueryError } from "../errors.ts";
import { foreignForm, type Token } from "./foreign-forms.ts";
import { place, TOKEN } from "./guard-text.ts";

const KEYWORDS: readonly string[] = [
  ...["SELECT", "DISTINCT", "FROM", "JOIN", "PREWHERE", "WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER", "LIMIT", "OFFSET"],
  ...["UNION", "INTERSECT", "EXCEPT", "BETWEEN", "INTERVAL", "WITH"],
];

/** Keywords are misspelt by no more than this many words before the place where the parser gives up. */
const LOOK_BACK = 3;

/** The refusal of a text that could not be parsed, in words for its author: the parser's own name its rules, and stop behind the culprit. */
export const explained = (error: QueryError, text: string): QueryError => {
  if (error.code !== "syntax_error" && error.code !== "unsupported") return error;
  const tokens = tokensOf(text);
  const foreign = foreignForm(tokens);
  if (foreign !== undefined) return new QueryError("unsupported", foreign.sentence, place(text, foreign.at));
  if (error.code === "unsupported" || error.position === undefined) return error;
  const stopped = tokens.findIndex(({ at }) => isFrom(place(text, at), error.position));
  const last = stopped < 0 ? tokens.length - 1 : stopped;
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

const isFrom = (one: Position, other: Position | undefined): boolean =>
  other !== undefined && (one.line > other.line || (one.line === other.line && one.column >= other.column));

const tokensOf = (text: string): readonly Token[] =>
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
