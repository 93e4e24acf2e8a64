import { type Budget, spend } from "../../core/budget.ts";
import { contains } from "../../core/contains.ts";
import { compilePattern } from "../../hogql/regex.ts";

/** A compiled expression: whether it matches anywhere in a text. */
export interface Regex {
  /** Throws `BudgetExhausted`. */
  test(text: string, budget: Budget): boolean;
}

/** A pattern that is nothing but the text it looks for. */
const PLAIN = /^[\w -]*$/;

/** Whether a pattern is more than a text that is looked for. */
export const isRegex = (pattern: string): boolean => !PLAIN.test(pattern);

/** Compiles an expression as queries read it; `parts` are those that may still be compiled. Throws `QueryError`, `BudgetExhausted`. */
export const compileRegex = (pattern: string, parts: Budget): Regex => {
  if (!isRegex(pattern)) return { test: (text, budget) => contains(text, pattern, budget) };
  const regex = compilePattern(pattern);
  spend(parts, regex.work);
  return { test: (text, budget) => regex.isIn(text, budget) };
};
