import { QueryError } from "../errors.ts";
import { TOKEN } from "./guard-text.ts";

/** Most work of one text, in words and signs and what stands around them: at most two seconds of the parser, mostly far less. */
const MOST_WORK = 5_000;

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

/**
 * A word or sign costs the more the more brackets and CASEs stand around it and prefix operators before it, as measured: the parser reads
 * to the end of a bracket before it knows what it is, and again for each bracket within it.
 */
const workOf = (text: string): number => {
  let work = 0;
  let previous = "";
  let brackets = 0;
  let cases = 0;
  let prefixes = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    // Expressions stand within a template, too: f'{lower(event)}'.
    if (token.startsWith("'") && token.length > 1 && /^f$/i.test(previous)) work += workOf(token.slice(1, -1));
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
