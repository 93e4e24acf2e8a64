import { type Remembered, remembered } from "../../lib/core/remembered.ts";
import { type GroupTypes, readGroupTypes } from "../../lib/lake/group-types.ts";
import type { Table } from "../../lib/table/table.ts";

/** A group type never changes its slot, so a process may keep what it read; a new one is seen after this. */
const KEPT_MS = 30_000;
const PROJECTS_KEPT = 1_000;

/** One memory per table, so that two platforms in one process share nothing. */
const memories = new WeakMap<Table, Remembered<GroupTypes>>();

/** The names of a project's group types by slot, as this process last read them. */
export const groupTypesOf = async (table: Table, project: number, now: number): Promise<GroupTypes> => {
  const memory = memories.get(table) ?? remembered<GroupTypes>({ lifetimeMs: KEPT_MS, capacity: PROJECTS_KEPT });
  memories.set(table, memory);
  return (await memory.of(String(project), now, () => readGroupTypes(table, project))) ?? [];
};
