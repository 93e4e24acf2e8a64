import { cache, perOwner } from "../../core/cache.ts";
import { isYoung } from "../../core/time.ts";
import { mayNameNewGroup, usedNames } from "../../hogql/inspect.ts";
import type { LowerOptions } from "../../hogql/options.ts";
import { openEarned } from "../../lake/earned-properties.ts";
import { type GroupTypes, readGroupTypes } from "../../lake/group-types.ts";
import type { Table } from "../../ports/table.ts";
import { type IssueLists, issueLists } from "../query/issue-lists.ts";
import { namedTables } from "../query/named-tables.ts";
import { type MadeForVersion, type VersionTypes, withVersionTypes } from "../query/version-types.ts";
import { type FileBounds, type LoweredQueries, lowerQueries, queryTrees } from "./lowered-queries.ts";
import type { ResolvedQuery } from "./resolved-query.ts";

/** A query with its values, and when and for whom it is lowered. */
export interface LoweringRequest {
  readonly query: ResolvedQuery;
  readonly project: { readonly id: number; readonly timezone: string };
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Those of the version. */
  readonly types: VersionTypes;
  /** Which query it is, as people read it: the properties that it names are kept with that. What code asks by itself keeps none. */
  readonly namedBy?: string;
  /** What the query goes by where it names issues, if that was read before. */
  readonly lists?: IssueLists;
  /** Where its rows become a file. */
  readonly file?: FileBounds;
}

/** Lowered queries, with what was learnt of the types in them. */
export interface LoweredRun extends MadeForVersion<LoweredQueries> {
  /** Settles once the properties that the queries name are written down: to be awaited before the run ends. */
  readonly namesKept: Promise<void>;
}

/** The run's queries, lowered with what the project has of the names in them. */
export const lowerFor = async (
  table: Table,
  { query, project, now, types, namedBy, lists: given, file }: LoweringRequest,
): Promise<LoweredRun> => {
  const opening = openEarned(table, project.id, now);
  opening.catch(() => undefined);
  const used = usedNames(queryTrees(query, { project, now }));
  const groupTypes = await groupTypesFor(table, project.id, now, (known) => mayNameNewGroup(used, known));
  const tables = await namedTables(table, project.id, used);
  const lists = given ?? (await issueLists(table, project.id, used));
  const earned = await opening;
  const lowered = (propertyType: NonNullable<LowerOptions["propertyType"]>): LoweredQueries => {
    const hasEarned = earned.hasEarned();
    return lowerQueries(query, { project, now, groupTypes, ...lists, propertyType, hasEarned, tables, ...(file && { file }) });
  };
  const made = await withVersionTypes(table, { project: project.id, now, own: types }, used.properties(groupTypes), lowered);
  return { ...made, namesKept: namedBy === undefined ? Promise.resolve() : earned.note(namedBy) };
};

/** A group type seldom changes its slot, so a process may keep what it read. */
const KEPT_MS = 30_000;
/** A name that may be a type that came meanwhile: it is looked up again after this. */
const UNKNOWN_KEPT_MS = 1_000;
const PROJECTS_KEPT = 1_000;

const loweringMemory = perOwner((_: Table) =>
  cache<number, { readonly value: GroupTypes; readonly readAt: number }>({ capacity: PROJECTS_KEPT }),
);

/**
 * The names of a project's group types by slot, as this process last read them; as they are now where `mayBeNew` says that a query
 * names something that is not among those. `now` in milliseconds.
 */
const groupTypesFor = async (table: Table, project: number, now: number, mayBeNew: (known: GroupTypes) => boolean): Promise<GroupTypes> => {
  const kept = loweringMemory(table).get(project);
  const isKept = (forMs: number): boolean => kept !== undefined && isYoung(kept.readAt, forMs, now);
  if (kept !== undefined && isKept(KEPT_MS) && (isKept(UNKNOWN_KEPT_MS) || !mayBeNew(kept.value))) return kept.value;
  const types = await readGroupTypes(table, project);
  loweringMemory(table).set(project, { value: types, readAt: now });
  return types;
};
