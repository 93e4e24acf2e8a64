import { QueryError } from "../../lib/hogql/errors.ts";
import { type GroupTypes, readGroupTypes } from "../../lib/lake/group-types.ts";
import { readMemory } from "../../lib/lake/read-memory.ts";
import type { Table } from "../../lib/table/table.ts";

/** A group type never changes its slot, so a process may keep what it read. */
const KEPT_MS = 30_000;
/** A name that is no field may be a type that came meanwhile: it is looked up again after this. */
const UNKNOWN_KEPT_MS = 1_000;
const PROJECTS_KEPT = 1_000;

const memory = readMemory<GroupTypes>(PROJECTS_KEPT);

/**
 * Makes something with the names of a project's group types by slot, as this process last read them; once more with what is there
 * now when a field was unknown. `now` in milliseconds.
 */
export const withGroupTypes = async <T>(
  table: Table,
  project: number,
  now: number,
  make: (types: GroupTypes) => Promise<T>,
): Promise<T> => {
  const kept = memory.kept(table, project);
  const types = kept !== undefined && now - kept.readAt < KEPT_MS ? kept.value : await read(table, project, now);
  try {
    return await make(types);
  } catch (error) {
    const isOld = kept?.value === types && now - kept.readAt >= UNKNOWN_KEPT_MS;
    if (!isOld || !(error instanceof QueryError) || error.code !== "unknown_field") throw error;
    return make(await read(table, project, now));
  }
};

const read = async (table: Table, project: number, now: number): Promise<GroupTypes> => {
  const types = await readGroupTypes(table, project);
  memory.keep(table, project, { value: types, readAt: now });
  return types;
};
