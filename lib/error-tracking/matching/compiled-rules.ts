import { BudgetExhausted } from "../../core/budget.ts";
import { compileFilters, type Matcher, MOST_PARTS } from "../filters.ts";
import type { Subject } from "./subject.ts";

/** Rules' filters in the order in which they are asked, each compiled, or why it cannot be. */
export interface CompiledRules {
  readonly rules: readonly (Matcher | { readonly fault: string })[];
  /** Parts that their regular expressions have, written out. */
  readonly parts: number;
}

/** A rule that failed, by its place, and why. */
export interface Failure {
  readonly rule: number;
  readonly message: string;
}

/** What the rules of a list say of an event. */
export interface Verdict {
  /** The place of the first rule that it fulfils. */
  readonly matched: number | null;
  readonly failures: readonly Failure[];
  /** Whether a rule was not asked to its end, because the steps for the event were used up. */
  readonly isOver: boolean;
  /** Steps that asking took. */
  readonly steps: number;
}

/** Rules that may need more than there is for an event before those behind them are passed over, too. */
const MOST_PASSED_OVER = 3;

/** Parts that the regular expressions of a project's rules of one kind may have together. */
const MOST_PARTS_OF_ALL = 250_000;

/** Compiles rules' filters, JSON texts of property groups. */
export const compileRules = (filters: readonly string[], timezone: string): CompiledRules => {
  let parts = 0;
  const rules = filters.map((text) => {
    const own = { steps: Math.min(MOST_PARTS, MOST_PARTS_OF_ALL - parts) };
    const before = own.steps;
    try {
      return compileFilters(JSON.parse(text), timezone, own);
    } catch (error) {
      return { fault: messageIn(error, "the filters cannot be read") };
    } finally {
      parts += before - own.steps;
    }
  });
  return { rules, parts };
};

/**
 * Asks rules one after the other until an event fulfils one. A rule that fails is passed over, and so is one that needs more steps than are
 * left for the event: those behind it have what it began with. What each took is added to `costs`; `begin` is told of each before it is asked.
 */
export const askRules = ({ rules }: CompiledRules, subject: Subject, costs: number[], begin?: (rule: number) => void): Verdict => {
  const failures: Failure[] = [];
  let [matched, steps, passedOver]: [number | null, number, number] = [null, 0, 0];
  for (const [rule, matches] of rules.entries()) {
    if (typeof matches === "object") {
      failures.push({ rule, message: matches.fault });
      continue;
    }
    begin?.(rule);
    const before = subject.budget.steps;
    const outcome = ask(matches, subject);
    const cost = before - subject.budget.steps;
    costs[rule] = (costs[rule] ?? 0) + cost;
    steps += cost;
    if (outcome === true) {
      matched = rule;
      break;
    }
    if (outcome instanceof BudgetExhausted) {
      passedOver += 1;
      if (passedOver <= MOST_PASSED_OVER) subject.budget.steps = before;
    } else if (outcome !== false) failures.push({ rule, message: messageIn(outcome, "the rule failed") });
  }
  return { matched, failures, isOver: passedOver > 0, steps };
};

/** Whether an event fulfils a rule, or what asking it ended with. */
const ask = (matches: Matcher, subject: Subject): unknown => {
  try {
    return matches(subject);
  } catch (error) {
    return error;
  }
};

const messageIn = (error: unknown, otherwise: string): string => (error instanceof Error ? error.message : otherwise);
