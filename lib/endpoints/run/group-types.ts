import { cache, perOwner } from "../../core/cache.ts";
import { type GroupTypes, readGroupTypes } from "../../lake/group-types.ts";
import type { Table } from "../../ports/table.ts";

/** A group type seldom changes its slot, so a process may keep what it read. */
const KEPT_MS = 30_000;
/** A name that may be a type that came meanwhile: it is looked up again after this. */
const UNKNOWN_KEPT_MS = 1_000;
const PROJECTS_KEPT = 1_000;

const memoryOf = perOwner((_: Table) =>
  cache<number, { readonly value: GroupTypes; readonly readAt: number }>({ capacity: PROJECTS_KEPT }),
);

/**
 * The names of a project's group types by slot, as this process last read them; as they are now where `mayBeNew` says that a query
 * names something that is not among those. `now` in milliseconds.
 */
export const groupTypesFor = async (
  table: Table,
  project: number,
  now: number,
  mayBeNew: (known: GroupTypes) => boolean,
): Promise<GroupTypes> => {
  const kept = memoryOf(table).get(project);
  const age = kept === undefined ? Number.POSITIVE_INFINITY : now - kept.readAt;
  if (kept !== undefined && age < KEPT_MS && (age < UNKNOWN_KEPT_MS || !mayBeNew(kept.value))) return kept.value;
  const types = await readGroupTypes(table, project);
  memoryOf(table).set(project, { value: types, readAt: now });
  return types;
};
