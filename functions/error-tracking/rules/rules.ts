import type * as z from "zod";
import { invalid, notFound } from "../../../lib/http/errors.ts";
import { ConditionFailed, type Key, type Table } from "../../../lib/ports/table.ts";
import type { Entity, KeyTemplate, KeyValues, Patterns } from "../../../lib/table/entity.ts";
import { counting } from "../../../lib/table/paging.ts";
import { putting, removing, update } from "../../../lib/table/store.ts";
import { ABSENT, failedAt, transact } from "../../../lib/table/transact.ts";

/** Where a project's rules of a kind are counted, and how many they may be: all of them are asked for every exception. */
export interface RuleCount {
  readonly counter: Key;
  readonly most: number;
}

/** Adds a rule; 400 where the project has as many as it may. */
export const addRule = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  rule: z.output<S>,
  { counter, most }: RuleCount,
): Promise<void> => {
  try {
    await transact(table, [counting(counter, 1, most), putting(of, rule, ABSENT)]);
  } catch (error) {
    if (failedAt(error, 0)) throw invalid(null, `A project has at most ${most} rules of a kind. Delete one first.`);
    throw error;
  }
};

/** Changes a rule; 404 where it was deleted meanwhile. */
export const changeRule = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  key: KeyValues<S, K>,
  set: Partial<z.output<S>>,
): Promise<void> => {
  try {
    await update(table, of, key, { set });
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound();
    throw error;
  }
};

/** Deletes a rule; 404 where somebody else has. */
export const removeRule = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  key: KeyValues<S, K>,
  { counter }: RuleCount,
): Promise<void> => {
  try {
    await transact(table, [counting(counter, -1), removing(of, key, { kind: "present" })]);
  } catch (error) {
    if (failedAt(error, 1)) throw notFound();
    throw error;
  }
};
