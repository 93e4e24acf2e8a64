import { compilePattern } from "../../hogql/regex.ts";

/** How much work may still be done; taking more than there is ends the work with `BudgetExhausted`. */
export interface Budget {
  steps: number;
}
export class BudgetExhausted extends Error {
  override readonly name = "BudgetExhausted";
}

/** Takes steps from what is left. */
export const spend = (budget: Budget, steps: number): void => {
  budget.steps -= steps;
  if (budget.steps < 0) throw new BudgetExhausted("the event's rules take too many steps");
};

/** A compiled expression: whether it matches anywhere in a text. */
export interface Regex {
  test(text: string, budget: Budget): boolean;
}

/** A pattern that is nothing but the text it looks for. */
const PLAIN = /^[\w -]*$/;

/** Compiles an expression as queries read it. Takes steps of it times characters of the text. Throws `QueryError`. */
export const compileRegex = (pattern: string): Regex => {
  const regex = compilePattern(pattern);
  if (PLAIN.test(pattern)) {
    return {
      test(text, budget) {
        spend(budget, text.length);
        return text.includes(pattern);
      },
    };
  }
  return {
    test(text, budget) {
      spend(budget, regex.size * text.length);
      return regex.isIn(text);
    },
  };
};
