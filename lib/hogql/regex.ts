import { RE2JS, RE2JSException } from "re2js";
import { type Budget, BudgetExhausted } from "../core/budget.ts";
import { shortened } from "../core/shortened.ts";
import type { Expression } from "./analysis/expression.ts";
import type { Limits } from "./analysis/limits.ts";
import { QueryError } from "./errors.ts";
import { newSearch } from "./patterns/automaton.ts";
import { mayHold } from "./patterns/needed-texts.ts";
import { patternWork } from "./patterns/pattern-work.ts";

/** Longest pattern, in characters, and as it is written out: compiling one takes time in proportion to that. */
const MAX_LENGTH = 10_000;
const MAX_WORK = 20_000;

/** A pattern that is compiled. */
export interface Regex {
  /** Instructions that it is compiled to. */
  readonly size: number;
  /** Parts that were compiled: what it took. */
  readonly work: number;
  readonly groups: number;
  /** Whether it is found anywhere in a text; takes a step for each instruction that is looked at. Throws `BudgetExhausted`. */
  isIn(text: string, budget: Budget): boolean;
}

/** A pattern as the engine, whose patterns are RE2's, will read it. Throws `QueryError` for one that it would refuse. */
export const compilePattern = (pattern: string): Regex => {
  if (pattern.length > MAX_LENGTH) throw refusal(pattern, `it is longer than ${MAX_LENGTH} characters`);
  const work = patternWork(pattern);
  if (work > MAX_WORK) throw refusal(pattern, `it has more than ${MAX_WORK} parts once its repetitions are written out`);
  const regex = compile(pattern);
  if (typeof regex === "string") throw refusal(pattern, regex);
  const isInside = pattern.includes("\\B") && matchesInside(pattern);
  const { prog: program, prefilter: needed } = regex.re2();
  const search = newSearch(program);
  return {
    size: regex.programSize(),
    work,
    groups: regex.groupCount(),
    isIn: (text, budget) =>
      (isInside && LONG_CHARACTER.test(text)) || ((needed === null || mayHold(text, needed, budget)) && search(text, budget)),
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

const refusal = (pattern: string, reason: string): QueryError =>
  new QueryError("cannot_compile_regexp", `The regular expression \`${shortened(pattern, SHOWN)}\` cannot be compiled: ${reason}.`);

/** Refuses a broken pattern while the query is lowered, where it is known by then. Gives back the expression. */
export const checkPattern = (limits: Limits, pattern: Expression): Expression => {
  if (typeof pattern.known === "string") spendPattern(limits, pattern.known);
  for (const item of pattern.items ?? []) checkPattern(limits, item);
  return pattern;
};

/** The pattern, as one of those that a query may have. */
const spendPattern = (limits: Limits, pattern: string): Regex => {
  const regex = compilePattern(pattern);
  limits.countPattern(regex.work);
  return regex;
};

/** Steps of looking through a text that take as long as compiling a part. */
const STEPS_A_PART = 100;

/** Steps of looking through names: more are refused, whatever else there is in a query. */
const MOST_STEPS = 20_000_000;

/** The names in which a pattern is found. */
export const matchNames = (limits: Limits, pattern: string, names: readonly string[]): ReadonlySet<string> => {
  const regex = spendPattern(limits, pattern);
  const budget = { steps: MOST_STEPS };
  const found = new Set(names.filter((name) => isFound(regex, name, budget)));
  limits.countPattern((MOST_STEPS - budget.steps) / STEPS_A_PART);
  return found;
};

/** Where the steps are used up it is said to be found nowhere: counting them refuses the query. */
const isFound = (regex: Regex, name: string, budget: Budget): boolean => {
  try {
    return regex.isIn(name, budget);
  } catch (error) {
    if (error instanceof BudgetExhausted) return false;
    throw error;
  }
};
