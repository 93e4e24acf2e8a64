import { RE2JS, RE2JSException } from "re2js";
import type { Expression } from "./analysis/expression.ts";
import type { Limits } from "./analysis/limits.ts";
import { QueryError } from "./errors.ts";
import { patternWork } from "./operators/pattern-work.ts";

/** Longest pattern, in characters, and as it is written out: compiling one takes time in proportion to that. */
const MAX_LENGTH = 10_000;
const MAX_WORK = 20_000;

/** A pattern that is compiled. */
export interface Regex {
  /** Steps that it takes for a character, at most. */
  readonly size: number;
  readonly groups: number;
  /** Whether it is found anywhere in a text. */
  isIn(text: string): boolean;
}

/** A pattern as the engine, whose patterns are RE2's, will read it. Throws `QueryError` for one that it would refuse. */
export const compilePattern = (pattern: string): Regex => {
  if (pattern.length > MAX_LENGTH) throw refusal(pattern, `it is longer than ${MAX_LENGTH} characters`);
  if (patternWork(pattern) > MAX_WORK) throw refusal(pattern, `it has more than ${MAX_WORK} parts once its repetitions are written out`);
  const regex = compile(pattern);
  if (typeof regex === "string") throw refusal(pattern, regex);
  const isInside = pattern.includes("\\B") && matchesInside(pattern);
  // One for all texts: making it takes longer than looking through a short text. Not `regex.test`, whose states may take megabytes a pattern.
  const matcher = regex.matcher("");
  return {
    size: regex.programSize(),
    groups: regex.groupCount(),
    isIn: (text) => (isInside && LONG_CHARACTER.test(text)) || matcher.resetMatcherInput(text).find(),
  };
};

/** The pattern, or why it is none. */
const compile = (pattern: string): RE2JS | string => {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return error.message;
  }
};

/** A character of several bytes. */
const LONG_CHARACTER = /[^\0-\x7f]/;

/**
 * RE2 looks at bytes: between two of one character no word begins or ends, so a pattern that needs nothing but that is found there.
 * It is one that takes nothing of a text between two hyphens. A quote that is not closed would swallow the end.
 */
const matchesInside = (pattern: string): boolean => {
  const ways = ["", "\\E"].map((end) => compile(`\\A-(?:${pattern}${end})-\\z`));
  return ways.some((way) => typeof way !== "string" && way.matcher("--").find());
};

const SHOWN = 100;

const refusal = (pattern: string, reason: string): QueryError => {
  const shown = pattern.length > SHOWN ? `${pattern.slice(0, SHOWN)}…` : pattern;
  return new QueryError("cannot_compile_regexp", `The regular expression \`${shown}\` cannot be compiled: ${reason}.`);
};

/** Refuses a broken pattern while the query is lowered, where it is known by then. Gives back the expression. */
export const checkPattern = (limits: Limits, pattern: Expression): Expression => {
  if (typeof pattern.known === "string") spendPattern(limits, pattern.known);
  for (const item of pattern.items ?? []) checkPattern(limits, item);
  return pattern;
};

/** The pattern, as one of those that a query may have. */
const spendPattern = (limits: Limits, pattern: string): Regex => {
  const regex = compilePattern(pattern);
  limits.countPattern(patternWork(pattern));
  return regex;
};

/** Steps of looking through a text that take as long as compiling a part. */
const STEPS_A_PART = 100;

/** The names in which a pattern is found. */
export const matchNames = (limits: Limits, pattern: string, names: readonly string[]): ReadonlySet<string> => {
  const regex = spendPattern(limits, pattern);
  const characters = names.reduce((sum, name) => sum + name.length + 1, 0);
  limits.countPattern((regex.size * characters) / STEPS_A_PART);
  return new Set(names.filter((name) => regex.isIn(name)));
};
