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
}

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
 * Asks rules one after the other until an event fulfils one. A rule that fails is passed over, and so is one for which the event's steps
 * are used up. What each took is added to `costs`; `begin` is told of each before it is asked.
 */
export const askRules = ({ rules }: CompiledRules, subject: Subject, costs: number[], begin?: (rule: number) => void): Verdict => {
  const failures: Failure[] = [];
  let isOver = false;
  for (const [rule, matches] of rules.entries()) {
    if (typeof matches === "object") {
      failures.push({ rule, message: matches.fault });
      continue;
    }
    begin?.(rule);
    const before = subject.budget.steps;
    try {
      if (matches(subject)) return { matched: rule, failures, isOver };
    } catch (error) {
      if (error instanceof BudgetExhausted) isOver = true;
      else failures.push({ rule, message: messageIn(error, "the rule failed") });
    } finally {
      costs[rule] = (costs[rule] ?? 0) + before - subject.budget.steps;
    }
  }
  return { matched: null, failures, isOver };
};

const messageIn = (error: unknown, otherwise: string): string => (error instanceof Error ? error.message : otherwise);
