import { mayNameNewGroup, usedNames } from "../../hogql/inspect.ts";
import type { LowerOptions } from "../../hogql/options.ts";
import type { Table } from "../../ports/table.ts";
import { namedTables } from "../query/named-tables.ts";
import { type MadeForVersion, type VersionTypes, withVersionTypes } from "../query/version-types.ts";
import { groupTypesFor } from "./group-types.ts";
import { type LoweredQueries, lowerQueries, treesOf } from "./lowered-queries.ts";
import { readMovedFingerprints } from "./moved-fingerprints.ts";
import type { ResolvedQuery } from "./resolved-query.ts";

/** A query with its values, and when and for whom it is lowered. */
export interface LoweredFor {
  readonly query: ResolvedQuery;
  readonly project: { readonly id: number; readonly timezone: string };
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Those of the version. */
  readonly types: VersionTypes;
}

/** The run's queries, lowered with what the project has of the names in them. */
export const loweredFor = async (table: Table, { query, project, now, types }: LoweredFor): Promise<MadeForVersion<LoweredQueries>> => {
  const used = usedNames(treesOf(query, { project, now }));
  const groupTypes = await groupTypesFor(table, project.id, now, (known) => mayNameNewGroup(used, known));
  const tables = await namedTables(table, project.id, used);
  const movedFingerprints = used.mentioned.has("issue_id") ? await readMovedFingerprints(table, project.id) : [];
  const lowered = (propertyType: NonNullable<LowerOptions["propertyType"]>): LoweredQueries =>
    lowerQueries(query, { project, now, groupTypes, movedFingerprints, propertyType, tables });
  return withVersionTypes(table, { project: project.id, now, own: types }, used.properties(groupTypes), lowered);
};
