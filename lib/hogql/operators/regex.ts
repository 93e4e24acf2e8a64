import { RegexFault } from "../../core/regex/classes.ts";
import { finder } from "../../core/regex/match.ts";
import { type ParsedRegex, parseRegex } from "../../core/regex/parse.ts";
import type { Expression } from "../analysis/expression.ts";
import { QueryError } from "../errors.ts";

/** A pattern as the engine will read it. Throws `QueryError` for one that it would refuse. */
export const regexOf = (pattern: string): ParsedRegex => {
  try {
    return parseRegex(pattern);
  } catch (error) {
    if (!(error instanceof RegexFault)) throw error;
    const shown = pattern.length > SHOWN ? `${pattern.slice(0, SHOWN)}…` : pattern;
    throw new QueryError("cannot_compile_regexp", `The regular expression \`${shown}\` cannot be compiled: ${error.message}.`);
  }
};

const SHOWN = 100;

/** Refuses a broken pattern while the query is lowered, where it is known by then. Gives back the expression. */
export const checkedPattern = (pattern: Expression): Expression => {
  if (typeof pattern.known === "string") regexOf(pattern.known);
  for (const item of pattern.items ?? []) checkedPattern(item);
  return pattern;
};

/** Steps of a pattern times characters of names: what a list of columns may take to be found. */
const MAX_WORK = 20_000_000;

/** The names in which a pattern is found. */
export const namesFound = (pattern: string, names: readonly string[]): ReadonlySet<string> => {
  const { regex, size } = regexOf(pattern);
  const characters = names.reduce((sum, name) => sum + name.length + 1, 0);
  if (size * characters > MAX_WORK) throw new QueryError("too_complex", "The pattern of COLUMNS is too long for so many columns.");
  const found = finder(regex);
  return new Set(names.filter(found));
};
