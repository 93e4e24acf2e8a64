import type * as z from "zod";
import { ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import type { Entity, KeyTemplate, KeyValues, Patterns } from "../../../lib/table/entity.ts";
import { get, put, update } from "../../../lib/table/store.ts";
import { ABSENT } from "../../../lib/table/transact.ts";

/**
 * Changes fields of an item that a project has one of, and returns it; where there is none yet it is made of
 * `standard`. Two callers that change different fields at the same moment both get their way.
 */
export const setOrCreate = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  key: KeyValues<S, K>,
  standard: z.output<S>,
  set: Partial<z.output<S>>,
): Promise<z.output<S>> => {
  if (Object.keys(set).length === 0) return (await get(table, of, key, { consistent: true })) ?? standard;
  try {
    return await update(table, of, key, { set });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  try {
    await put(table, of, standard, ABSENT);
  } catch (error) {
    // Another call has just made it.
    if (!(error instanceof ConditionFailed)) throw error;
  }
  return update(table, of, key, { set });
};
