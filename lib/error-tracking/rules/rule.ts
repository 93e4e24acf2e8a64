import { BudgetExhausted } from "../../core/budget.ts";
import { isoMicros } from "../../core/time.ts";
import type { Fields } from "../../event/fields.ts";
import { jsonText } from "../../event/hot-properties.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { plainKey } from "../../table/entity.ts";
import { compileFilters, type Matcher } from "../filters.ts";
import type { Subject } from "../matching/subject.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { RuleKind, StoredRules } from "../rules.ts";
import { ruleLayout } from "../stored/layouts.ts";

/** A stored rule with its filters compiled, or why they cannot be. */
export interface Rule<K extends RuleKind> {
  readonly kind: K;
  readonly stored: StoredRules[K];
  readonly matches: Matcher | null;
  readonly fault: string | null;
}

const UNREADABLE = "the filters cannot be read";

export const compileRule = <K extends RuleKind>(kind: K, stored: StoredRules[K], timezone: string): Rule<K> => {
  try {
    return { kind, stored, matches: compileFilters(JSON.parse(stored.filters), timezone), fault: null };
  } catch (error) {
    return { kind, stored, matches: null, fault: error instanceof Error ? error.message : UNREADABLE };
  }
};

/** A rule that failed: why, and on what of an event. */
export interface BrokenRule {
  readonly kind: RuleKind;
  readonly stored: StoredRules[RuleKind];
  readonly data: Fields;
}

/**
 * The first rule that an event fulfils. A rule that fails is passed over and given to `broken` with the evidence; one for which the
 * event's steps are used up is only passed over, because nothing is wrong with it.
 */
export const firstMatch = <K extends RuleKind>(
  rules: readonly Rule<K>[],
  subject: Subject,
  evidence: Fields,
  broken: (rule: BrokenRule) => void,
): StoredRules[K] | null => {
  for (const { kind, stored, matches, fault } of rules) {
    if (matches === null) {
      broken({ kind, stored, data: { message: fault ?? UNREADABLE, ...evidence } });
      continue;
    }
    try {
      if (matches(subject)) return stored;
    } catch (error) {
      if (error instanceof BudgetExhausted) continue;
      broken({ kind, stored, data: { message: error instanceof Error ? error.message : "the rule failed", ...evidence } });
    }
  }
  return null;
};

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
