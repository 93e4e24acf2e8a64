import type { Ast } from "../../hogql/ast.ts";
import { usedNames } from "../../hogql/inspect.ts";
import type { LowerOptions } from "../../hogql/options.ts";
import { sqlFilters } from "../../insight/sql-filters.ts";
import { readGroupTypes } from "../../lake/group-types.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Project } from "../../projects/projects.ts";
import type { StoredSql } from "../definition.ts";
import { namedTables } from "./named-tables.ts";
import { type MadeForVersion, type VersionTypes, withVersionTypes } from "./version-types.ts";

/** Makes something of a query with its own types, and with what else the project has of the names in it, as it is now. */
export const typed = async <T>(
  { table, clock }: Pick<Ports, "table" | "clock">,
  { id, timezone }: Pick<Project, "id" | "timezone">,
  { query, types }: { readonly query: StoredSql; readonly types: VersionTypes },
  ast: Ast,
  make: (options: Omit<LowerOptions, "variables" | "page">) => T,
): Promise<MadeForVersion<T>> => {
  const now = clock.now();
  const groupTypes = await readGroupTypes(table, id);
  const filters = sqlFilters(query.filters, { now, timezone });
  const used = usedNames([ast, filters.condition, filters.from, filters.to]);
  const wanted = used.properties(groupTypes);
  const tables = await namedTables(table, id, used);
  return withVersionTypes(table, { project: id, now, own: types }, wanted, (propertyType) =>
    make({ project: id, timezone, now, groupTypes, propertyType, tables, filters, values: query.values ?? {} }),
  );
};
