import { QueryError } from "../errors.ts";
import { TOKEN } from "./guard-text.ts";

/**
 * Most work of one text, in words and signs, each with the square of the brackets around it but the first, and of the prefix operators
 * before it: what the parser's time grows with. It takes a quarter of a millisecond for one, so at most a second and a half for all.
 */
const MOST_WORK = 6_000;

/** Work that is left for texts that belong together; each takes its share. */
export interface ParserWork {
  left: number;
}

/** Counts what the parser will have to do for these texts, before it is asked. Throws `QueryError` where it is more than there is. */
export const spendWork = (texts: readonly string[], work: ParserWork = { left: MOST_WORK }): void => {
  const needed = texts.reduce((sum, text) => sum + workOf(text), 0);
  if (needed > Math.min(MOST_WORK, work.left)) throw new QueryError("query_too_large", TOO_MUCH);
  work.left -= needed;
};

const TOO_MUCH = "The query takes too long to be parsed. Write it with fewer levels of nesting, or in several parts.";

/** Whether a text can be read as a whole where its pieces could not. */
export const isLittleWork = (text: string): boolean => workOf(text) <= MOST_WORK;

const workOf = (text: string): number => {
  let work = 0;
  let brackets = 0;
  let prefixes = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^(\s|--|\/\*)/.test(token)) continue;
    prefixes = PREFIXES.test(token) ? prefixes + 1 : 0;
    if ("([{".includes(token)) brackets += 1;
    work += 1 + Math.max(brackets - 1, 0) ** 2 + prefixes ** 2;
    if (")]}".includes(token)) brackets = Math.max(brackets - 1, 0);
  }
  return work;
};

const PREFIXES = /^(not|interval|-|~)$/i;
