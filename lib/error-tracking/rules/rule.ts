import { isoMicros } from "../../core/time.ts";
import type { Fields } from "../../event/fields.ts";
import { jsonText } from "../../event/hot-properties.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { plainKey } from "../../table/entity.ts";
import { type RuleList, ruleList } from "../matching/rule-list.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { inRuleOrder } from "../rule-order.ts";
import type { RuleKind, StoredRules } from "../rules.ts";
import { ruleLayout } from "../stored/layouts.ts";

/** The rules of one kind that are in force, in the order in which they are asked. */
export interface RulesOfKind<K extends RuleKind> {
  readonly kind: K;
  readonly stored: readonly StoredRules[K][];
  /** Their filters, in the same order. */
  readonly list: RuleList;
}

/** Those of some rules that are in force: neither failed nor switched off. */
export const rulesInForce = <K extends RuleKind>(kind: K, all: readonly StoredRules[K][], timezone: string): RulesOfKind<K> => {
  const stored = inRuleOrder(all.filter(({ disabled_data, enabled }) => disabled_data === null && enabled !== false));
  return {
    kind,
    stored,
    list: ruleList(
      stored.map(({ filters }) => filters),
      timezone,
    ),
  };
};

/** A rule that failed: why, and on what of an event. */
export interface BrokenRule {
  readonly kind: RuleKind;
  readonly stored: StoredRules[RuleKind];
  readonly data: Fields;
}

/** Bytes that are kept of the event that a rule failed on: more would not fit beside the rule. */
const MOST_BYTES = 100_000;

/** Puts broken rules out of force, unless somebody changed them since they were read. */
export const disableRules = async ({ table, clock, log }: TrackingParts, broken: Iterable<BrokenRule>): Promise<void> => {
  for (const { kind, stored, data } of broken) {
    const text = jsonText(data);
    const disabled_data = Buffer.byteLength(text) <= MOST_BYTES ? text : jsonText({ ...data, ...tooLong(data) });
    try {
      await table.update(
        plainKey(ruleLayout(kind), stored),
        { set: { disabled_data, updated_at: isoMicros(clock.now()) }, add: { rev: 1 } },
        { kind: "equals", attribute: "updated_at", value: stored.updated_at },
      );
      log.line("warn", "exceptions.rule_disabled", { project: stored.project, rule: stored.id });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
};

/** The event's properties left out where they are too long. */
const tooLong = (data: Fields): Fields => ("props" in data ? { props: {} } : { properties: {} });
