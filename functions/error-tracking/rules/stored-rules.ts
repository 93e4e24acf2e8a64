import type { World } from "../../../lib/app/world.ts";
import { inRuleOrder } from "../../../lib/error-tracking/rule-order.ts";
import { type AnyRule, anyRules, type RuleKind } from "../../../lib/error-tracking/rules.ts";
import { conflict, notFound } from "../../../lib/http/errors.ts";
import { ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import { addToList, type BoundedList, takeFromList } from "../../../lib/table/bounded-list.ts";
import { countThrough } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { list, putting, removing, require, update, updating } from "../../../lib/table/store.ts";
import { ABSENT, transactInSequence } from "../../../lib/table/transact.ts";
import { untilWritten } from "../../../lib/table/until-written.ts";

/** All rules of a kind that a project has, in the order in which they are asked. */
export const listRules = async (table: Table, kind: RuleKind, project: number): Promise<readonly AnyRule[]> =>
  inRuleOrder(await list(table, anyRules(kind), "key", { project }, { consistent: true }));

/** The rule with an id; 404 when there is none. */
export const findRule = (table: Table, kind: RuleKind, project: number, id: string): Promise<AnyRule> =>
  require(table, anyRules(kind), { project, id: id.toLowerCase() }, { consistent: true });

/** Rules of each kind that a project may have: all of them are asked for every exception. */
const MOST: Readonly<Record<RuleKind, number>> = { grouping: 300, severity: 100, assignment: 100 };

const rulesOfProject = (kind: RuleKind, project: number): BoundedList => ({
  counter: counterKey(`${kind}RuleCount`, project),
  most: MOST[kind],
  full: `A project has at most ${MOST[kind]} rules of a kind. Delete one first.`,
  recount: (table) => countThrough(table, anyRules(kind), "key", { project }),
});

type Parts = Pick<World, "table" | "clock">;

/** Adds a rule. Throws `ListFull`. */
export const addRule = (parts: Parts, kind: RuleKind, rule: AnyRule): Promise<void> =>
  addToList(parts, rulesOfProject(kind, rule.project), [putting(anyRules(kind), rule, ABSENT)]);

/** Changes a rule; 404 where it was deleted meanwhile. */
export const changeRule = async (table: Table, kind: RuleKind, { project, id }: AnyRule, set: Partial<AnyRule>): Promise<void> => {
  try {
    await update(table, anyRules(kind), { project, id }, { set });
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound();
    throw error;
  }
};

/** Deletes a rule; 404 where somebody else has. */
export const removeRule = async (parts: Parts, kind: RuleKind, { project, id }: AnyRule): Promise<void> => {
  try {
    await takeFromList(parts, rulesOfProject(kind, project), [removing(anyRules(kind), { project, id }, { kind: "present" })]);
  } catch (error) {
    throw error instanceof ConditionFailed ? notFound() : error;
  }
};

/** Tries while rules are deleted at the same moment. */
const TRIES = 3;

/**
 * Gives the named rules their places; ids that name no rule of the project count for nothing. One that has its place already is written, too:
 * somebody else may be giving it another one.
 */
export const reorderRules = async (
  table: Table,
  kind: RuleKind,
  project: number,
  orders: Readonly<Record<string, number>>,
): Promise<void> => {
  const wanted = new Map(Object.entries(orders).map(([id, order]) => [id.toLowerCase(), order]));
  await untilWritten({ most: TRIES, otherwise: () => conflict("Rules are being deleted at this moment. Try again.") }, async () => {
    const moved = (await listRules(table, kind, project)).flatMap(({ id }) => {
      const order = wanted.get(id);
      if (order === undefined) return [];
      return updating(anyRules(kind), { project, id }, { set: { order_key: order } });
    });
    await transactInSequence(table, moved);
  });
};
