import { cache } from "../core/cache.ts";
import type { Ast, Expr } from "./ast.ts";
import { QueryError } from "./errors.ts";
import { decode, decodeExpression } from "./syntax/decode.ts";
import { explainError } from "./syntax/explain.ts";
import { guardText, TOKEN } from "./syntax/guard-text.ts";
import { parseInThread } from "./syntax/parser-thread.ts";
import { type Piece, pieces } from "./syntax/pieces.ts";
import { readAnswer } from "./syntax/read-answer.ts";

/** Characters of texts whose trees are remembered, in all; a tree takes some forty times as many bytes. */
const REMEMBERED_CHARACTERS = 100_000;

interface Parsed {
  readonly characters: number;
  readonly tree: Promise<Ast>;
}

/** Trees of the texts that were asked for lately, by project and text: a page and the platform's own queries ask the same again and again. */
const remembered = cache<string, Parsed>({ capacity: REMEMBERED_CHARACTERS, weigh: ({ characters }) => characters });

/**
 * Parses with the language's own parser, in a thread of its own, which is started at the first use; a query takes it 10 to 100 ms, unless
 * the same project asked for it lately. The tree carries positions under a symbol only, so its JSON, which is what gets stored, has none.
 * Throws `QueryError` for whatever is no query, is too long, or uses a form that we do not know. Projects take turns.
 */
export const parse = (text: string, project?: number): Promise<Ast> => {
  const key = `${project} ${text}`;
  const known = remembered.get(key);
  if (known !== undefined) return known.tree;
  const tree = parseAnew(text, project);
  remembered.set(key, { characters: text.length, tree });
  // What was refused may have been refused because too many waited.
  tree.catch(() => remembered.delete(key));
  return tree;
};

const parseAnew = async (text: string, project: number | undefined): Promise<Ast> => {
  const counted = guardText(text);
  const read = await askParser("query", counted.text, project);
  return explainErrors(text, () => decode(read(), text, counted));
};

/** The same for an expression alone, such as an insight holds as text; `work` is a budget that it shares with others. */
export const parseExpression = async (text: string, project?: number, work?: ParserWork): Promise<Expr> => {
  const counted = guardText(text);
  const read = await askParser("expression", counted.text, project, work);
  return explainErrors(text, () => decodeExpression(read(), text, counted));
};

/**
 * Asks the parser piece by piece; the result reads its answer. Where it refuses a piece, it is asked for the whole text, in which a few
 * forms may stand that no piece can be.
 */
const askParser = async (kind: Piece["kind"], text: string, project?: number, work?: ParserWork): Promise<() => unknown> => {
  const parts = pieces(kind, text);
  spendWork(
    parts.map((part) => part.text),
    work,
  );
  const answer = await parseInThread(parts, project);
  if (!answer.isRefused || parts.length === 1 || !isLittleWork(text)) return () => readAnswer(text, parts, answer);
  const whole = [{ kind, text, at: 0 }];
  const second = await parseInThread(whole, project);
  return () => readAnswer(text, whole, second);
};

const explainErrors = <T>(text: string, read: () => T): T => {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof QueryError ? explainError(thrown, text) : thrown;
  }
};

/** The limit of one text's work, in words and signs weighted by their nesting: at most two seconds of the parser, mostly far less. */
const MOST_WORK = 5_000;

/** A budget of the parser's work that several texts share, in the unit of `MOST_WORK`. */
export interface ParserWork {
  left: number;
}

/** Takes the work of these texts from the budget before the parser is asked. Throws `QueryError` where it is more than is left. */
const spendWork = (texts: readonly string[], work: ParserWork = { left: MOST_WORK }): void => {
  const needed = texts.reduce((sum, text) => sum + measureWork(text), 0);
  if (needed > Math.min(MOST_WORK, work.left)) throw new QueryError("query_too_large", TOO_MUCH_WORK);
  work.left -= needed;
};

const TOO_MUCH_WORK = "The query takes too long to be parsed. Write it with fewer levels of nesting, or in several parts.";

/** Whether a text can be read as a whole where its pieces could not. */
const isLittleWork = (text: string): boolean => measureWork(text) <= MOST_WORK;

/**
 * A word or sign costs the more the more brackets and CASEs stand around it and prefix operators before it, as measured: the parser reads
 * to the end of a bracket before it knows what it is, and again for each bracket within it.
 */
const measureWork = (text: string): number => {
  let work = 0;
  let previous = "";
  let brackets = 0;
  let cases = 0;
  let prefixes = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    // Expressions stand within a template, too: f'{lower(event)}'.
    if (token.startsWith("'") && token.length > 1 && /^f$/i.test(previous)) work += measureWork(token.slice(1, -1));
    previous = token;
    if (/^(\s|--|\/\*)/.test(token)) continue;
    prefixes = /^(not|interval|-|~)$/i.test(token) ? prefixes + 1 : 0;
    if ("([{".includes(token)) brackets += 1;
    if (/^case$/i.test(token)) cases += 1;
    work += 1 + Math.max(0, 4 * brackets - 7) + Math.max(0, cases - 1) + Math.max(0, 3 * prefixes - 3);
    if (")]}".includes(token)) brackets = Math.max(brackets - 1, 0);
    if (/^end$/i.test(token)) cases = Math.max(cases - 1, 0);
  }
  return work;
};
