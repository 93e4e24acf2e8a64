import type { World } from "../../../lib/app/world.ts";
import { type AlertRule, AlertRules, MOST_ALERT_RULES } from "../../../lib/error-tracking/alert-rules.ts";
import { AlertStates } from "../../../lib/error-tracking/alert-states.ts";
import { conflict, notFound } from "../../../lib/http/errors.ts";
import { ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import { addToList, type BoundedList, takeFromList } from "../../../lib/table/bounded-list.ts";
import { countThrough } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { list, putting, remove, removing, require, update } from "../../../lib/table/store.ts";
import { ABSENT } from "../../../lib/table/transact.ts";

/** All alert rules of a project, the oldest first. */
export const listAlertRules = async (table: Table, project: number): Promise<readonly AlertRule[]> =>
  (await list(table, AlertRules, "key", { project }, { consistent: true })).toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** The rule with an id; 404 when there is none. */
export const findAlertRule = (table: Table, project: number, id: string): Promise<AlertRule> =>
  require(table, AlertRules, { project, id: id.toLowerCase() }, { consistent: true });

const alertRulesOfProject = (project: number): BoundedList => ({
  counter: counterKey("alertRuleCount", project),
  most: MOST_ALERT_RULES,
  full: `A project has at most ${MOST_ALERT_RULES} alert rules. Delete one first.`,
  recount: (table) => countThrough(table, AlertRules, "key", { project }),
});

type Parts = Pick<World, "table" | "clock">;

/** Adds a rule. Throws `ListFull`. */
export const addAlertRule = (parts: Parts, rule: AlertRule): Promise<void> =>
  addToList(parts, alertRulesOfProject(rule.project), [putting(AlertRules, rule, ABSENT)]);

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
export const removeAlertRule = async (parts: Parts, { project, id }: AlertRule): Promise<void> => {
  try {
    await takeFromList(parts, alertRulesOfProject(project), [removing(AlertRules, { project, id }, { kind: "present" })]);
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound() : error;
  }
  const { table } = parts;
  for (const state of await list(table, AlertStates, "key", { project, rule_id: id })) await remove(table, AlertStates, state);
};
