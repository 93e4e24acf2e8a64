import type { Budget } from "../../core/budget.ts";
import { contains } from "../../core/contains.ts";

/** The texts without which a pattern is found nowhere, as re2js gathers them. */
export interface NeededTexts {
  readonly type: number;
  readonly str: string;
  readonly subs: readonly NeededTexts[];
}

/** What is needed, by re2js's numbers: one text, all of several, one of several. */
const ONE = 1;
const ALL = 2;
const SOME = 3;

/** Whether a text may hold a pattern as far as its needed texts say: a look at most texts, instead of a search. Throws `BudgetExhausted`. */
export const mayHold = (text: string, { type, str, subs }: NeededTexts, budget: Budget): boolean => {
  switch (type) {
    case ONE:
      return contains(text, str, budget);
    case ALL:
      return subs.every((sub) => mayHold(text, sub, budget));
    case SOME:
      return subs.some((sub) => mayHold(text, sub, budget));
    default:
      return true;
  }
};
