import { type AlertRule, AlertRules, MOST_ALERT_RULES } from "../../../lib/error-tracking/alert-rules.ts";
import { AlertStates } from "../../../lib/error-tracking/alert-states.ts";
import { conflict, invalid, notFound } from "../../../lib/http/errors.ts";
import { ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import { counting } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { list, putting, remove, removing, require, update } from "../../../lib/table/store.ts";
import { ABSENT, failedAt, transact } from "../../../lib/table/transact.ts";

/** All alert rules of a project, the oldest first. */
export const listAlertRules = async (table: Table, project: number): Promise<readonly AlertRule[]> =>
  (await list(table, AlertRules, "key", { project }, { consistent: true })).toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** The rule with an id; 404 when there is none. */
export const findAlertRule = (table: Table, project: number, id: string): Promise<AlertRule> =>
  require(table, AlertRules, { project, id: id.toLowerCase() }, { consistent: true });

/** Adds a rule; 400 where the project has as many as it may. */
export const addAlertRule = async (table: Table, rule: AlertRule): Promise<void> => {
  try {
    await transact(table, [counting(counterKey("alertRuleCount", rule.project), 1, MOST_ALERT_RULES), putting(AlertRules, rule, ABSENT)]);
  } catch (error) {
    if (failedAt(error, 0)) throw invalid(null, `A project has at most ${MOST_ALERT_RULES} alert rules. Delete one first.`);
    throw error;
  }
};

/** Changes a rule as it was read. Throws 404 where it was deleted meanwhile, and 409 where it was changed. */
export const changeAlertRule = async (
  table: Table,
  { project, id, updated_at }: AlertRule,
  set: Partial<AlertRule>,
): Promise<AlertRule> => {
  try {
    return await update(table, AlertRules, { project, id }, { set }, { kind: "equals", attribute: "updated_at", value: updated_at });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw error.stored === undefined ? notFound() : conflict("The rule was changed meanwhile. Read it, and try again.");
  }
};

/** Deletes a rule; 404 where somebody else has. What it told is not sent any more. */
export const removeAlertRule = async (table: Table, { project, id }: AlertRule): Promise<void> => {
  try {
    const counted = counting(counterKey("alertRuleCount", project), -1);
    await transact(table, [counted, removing(AlertRules, { project, id }, { kind: "present" })]);
  } catch (error) {
    if (failedAt(error, 1)) throw notFound();
    throw error;
  }
  for (const state of await list(table, AlertStates, "key", { project, rule_id: id })) await remove(table, AlertStates, state);
};
