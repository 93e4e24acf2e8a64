/** How many steps of work may still be taken: each is a few nanoseconds. Taking more than there are ends the work. */
export interface Budget {
  steps: number;
}

/** The steps of a budget are used up. */
export class BudgetExhausted extends Error {
  override readonly name = "BudgetExhausted";
}

/** Takes steps from what is left. Throws `BudgetExhausted`. */
export const spend = (budget: Budget, steps: number): void => {
  budget.steps -= steps;
  if (budget.steps < 0) throw new BudgetExhausted("the work takes too many steps");
};
