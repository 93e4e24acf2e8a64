import { QueryError } from "../errors.ts";
import type { Ast, Expr } from "./ast.ts";
import { decode, decodeExpression } from "./decode.ts";
import { explained } from "./explain.ts";
import { guardText, KEPT_BACKSLASH, place } from "./guard-text.ts";
import { type ParserTime, parseInThread } from "./parser-thread.ts";

/**
 * Parses with the language's own parser, in a thread of its own, which is started at the first use; a query takes it 20 to 150 ms.
 * The tree carries positions under a symbol only, so its JSON, which is what gets stored, has none.
 * Throws `QueryError` for whatever is no query, is too long, or uses a form that we do not know. Projects take turns.
 */
export const parse = async (text: string, project?: number): Promise<Ast> => {
  const counted = guardText(text);
  const json = await parseInThread("query", counted.text, project);
  return inAuthorsWords(text, () => decode(parsed(text, json), text, counted));
};

/** The same for an expression alone, such as an insight holds as text; `time` is what it and others may take together. */
export const parseExpression = async (text: string, project?: number, time?: ParserTime): Promise<Expr> => {
  const counted = guardText(text);
  const json = await parseInThread("expression", counted.text, project, time);
  return inAuthorsWords(text, () => decodeExpression(parsed(text, json), text, counted));
};

const inAuthorsWords = <T>(text: string, read: () => T): T => {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof QueryError ? explained(thrown, text) : thrown;
  }
};

/** Integers that a double cannot hold keep all their digits, and texts their backslashes. */
const exactly = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
  if (typeof value === "string") return value.replaceAll(KEPT_BACKSLASH, "\\");
  const source = context?.source;
  const rounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return rounded && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
};

/** A text that overflows the parser's own stack has no JSON; to its author that is one more query too deep. */
const parsed = (text: string, json: string | null): unknown => {
  if (json === null) throw new QueryError("too_complex", "The query is nested too deeply to be parsed.");
  return accepted(JSON.parse(json, exactly), text);
};

const accepted = (result: unknown, text: string): unknown => {
  if (typeof result !== "object" || result === null || !("error" in result)) return result;
  const message = "message" in result && typeof result.message === "string" ? result.message : "The query could not be parsed.";
  const offset = errorOffset(result);
  const at = offset === undefined ? undefined : place(text, offset);
  throw new QueryError("type" in result && result.type === "NotImplementedError" ? "unsupported" : "syntax_error", sentence(message), at);
};

/** Longest part of the parser's own words that is passed on: it likes to list its whole vocabulary. */
const MAX_WORDS = 160;

const sentence = (message: string): string => {
  const short = message.replace(/ expecting \{.*/s, "");
  return short.length > MAX_WORDS ? `…${short.slice(-MAX_WORDS)}` : short;
};

const errorOffset = (result: object): number | undefined => {
  if (!("start" in result) || typeof result.start !== "object" || result.start === null) return undefined;
  return "offset" in result.start && typeof result.start.offset === "number" ? result.start.offset : undefined;
};
