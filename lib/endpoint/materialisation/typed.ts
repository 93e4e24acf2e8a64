import type { Project } from "../../entities/projects/projects.ts";
import type { LowerOptions } from "../../hogql/analysis/options.ts";
import { usedNames } from "../../hogql/analysis/used-names.ts";
import type { Ast } from "../../hogql/syntax/ast.ts";
import { sqlFilters } from "../../insight/filters/sql-filters.ts";
import { WEEK_START } from "../../insight/insight.ts";
import { readGroupTypes } from "../../lake/intake/group-types.ts";
import { withPropertyTypes } from "../../lake/property-types/remembered-types.ts";
import type { World } from "../../world/world.ts";
import type { StoredSql } from "../definition.ts";
import { namedTables } from "../named-tables.ts";

/** Makes something of a query with what the project has of the names in it, as it is now. */
export const typed = async <T>(
  { table, clock }: Pick<World, "table" | "clock">,
  { id, timezone }: Pick<Project, "id" | "timezone">,
  query: StoredSql,
  ast: Ast,
  make: (options: Omit<LowerOptions, "variables" | "page">) => T,
): Promise<T> => {
  const now = clock.now();
  const groupTypes = await readGroupTypes(table, id);
  const filters = sqlFilters(query.filters, { now, timezone, weekStart: WEEK_START });
  const used = usedNames([ast, filters.condition, filters.from, filters.to]);
  const wanted = used.properties(groupTypes);
  const tables = await namedTables(table, id, used);
  const { made } = await withPropertyTypes(table, id, now, wanted, (propertyType) =>
    make({ project: id, timezone, now, groupTypes, propertyType, tables, filters, values: query.values ?? {} }),
  );
  return made;
};
