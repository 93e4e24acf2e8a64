import type { AlertRule } from "../alert-rules.ts";
import { type RuleList, ruleList } from "../matching/rule-list.ts";

/** An alert rule that is switched on. */
export interface AlertRuleInForce {
  readonly stored: AlertRule;
  /** Its filters; null where it has none and tells everything. */
  readonly filters: RuleList | null;
}

/** None where it is switched off. */
export const alertRuleInForce = (stored: AlertRule, timezone: string): readonly AlertRuleInForce[] =>
  stored.enabled ? [{ stored, filters: stored.filters === null ? null : ruleList([stored.filters], timezone) }] : [];
