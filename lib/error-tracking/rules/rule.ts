import { compileFilters, type Matcher } from "../matching/filters.ts";
import { BudgetExhausted } from "../matching/regex.ts";
import type { Subject } from "../matching/subject.ts";

/** A stored rule and what it asks; a fault where its filters cannot be asked at all. */
export interface Rule<R> {
  readonly stored: R;
  readonly matches: Matcher | null;
  readonly fault: string | null;
}

export const ruleOf = <R extends { readonly filters: string }>(stored: R, timezone: string): Rule<R> => {
  try {
    return { stored, matches: compileFilters(JSON.parse(stored.filters), timezone), fault: null };
  } catch (error) {
    return { stored, matches: null, fault: error instanceof Error ? error.message : "the filters cannot be read" };
  }
};

/** A rule that cannot be asked, and why. */
export interface BrokenRule<R> {
  readonly stored: R;
  readonly message: string;
}

/**
 * The first rule that an event fulfils. A rule that fails is passed over and told; one for which the event's steps are used up is
 * only passed over, because nothing is wrong with it.
 */
export const firstMatch = <R>(rules: readonly Rule<R>[], subject: Subject, broken: (rule: BrokenRule<R>) => void): R | null => {
  for (const { stored, matches, fault } of rules) {
    if (matches === null) {
      broken({ stored, message: fault ?? "the filters cannot be read" });
      continue;
    }
    try {
      if (matches(subject)) return stored;
    } catch (error) {
      if (error instanceof BudgetExhausted) continue;
      broken({ stored, message: error instanceof Error ? error.message : "the rule failed" });
    }
  }
  return null;
};
