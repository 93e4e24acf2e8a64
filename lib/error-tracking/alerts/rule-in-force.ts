import type { AlertRule } from "../alert-rules.ts";
import { compileFilters, type Matcher } from "../filters.ts";

/** An alert rule that is switched on, with its filters compiled. */
export interface AlertRuleInForce {
  readonly stored: AlertRule;
  readonly matches: Matcher;
}

/** None for a rule whose filters cannot be read: that is shown with the rule. */
export const alertRuleInForce = (stored: AlertRule, timezone: string): readonly AlertRuleInForce[] => {
  if (!stored.enabled) return [];
  if (stored.filters === null) return [{ stored, matches: () => true }];
  try {
    return [{ stored, matches: compileFilters(JSON.parse(stored.filters), timezone) }];
  } catch {
    return [];
  }
};
