import { isoMicros } from "../../core/time.ts";
import type { Fields } from "../../event/fields.ts";
import { jsonText } from "../../event/hot-properties.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { plainKey } from "../../table/entity.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { ruleLayout } from "../stored/layouts.ts";
import type { BrokenRule } from "./rule.ts";

/** Bytes that are kept of the event that a rule failed on: more would not fit beside the rule. */
const MOST_BYTES = 100_000;

/** Puts broken rules out of force, unless somebody changed them since they were read. */
export const disable = async ({ table, clock, log }: TrackingParts, broken: Iterable<BrokenRule>): Promise<void> => {
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
