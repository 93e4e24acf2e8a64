import type { Expr } from "../hogql/ast.ts";
import { every, field } from "../hogql/build.ts";
import { QueryError } from "../hogql/errors.ts";
import { type Clock, WEEK_START } from "./dates.ts";
import { condition, type Subject } from "./filters/operators.ts";
import type { PropertyFilter } from "./filters/property-filter.ts";

export { PropertyFilter } from "./filters/property-filter.ts";

/** A condition on rows of the table of persons that holds where all filters do. Throws `QueryError` for filters of anything else than persons. */
export const personFilters = (filters: readonly PropertyFilter[], clock: Pick<Clock, "now" | "timezone">): Expr =>
  every(
    filters.map((filter) => condition(subjectOf(filter), filter.operator ?? "exact", filter.value, { ...clock, weekStart: WEEK_START })),
  );

const subjectOf = ({ key, type }: PropertyFilter): Subject => {
  if (type === null || type === "person") return { item: field("properties", key) };
  if (type !== "person_metadata") throw new QueryError("unsupported", `Persons have no filters of the type \`${type}\`: use \`person\`.`);
  if (!FIELDS.has(key)) throw new QueryError("unknown_field", `Persons have no field \`${key}\`: known are ${[...FIELDS].join(", ")}.`);
  return { item: field(key), isTime: TIMES.has(key) };
};

const TIMES: ReadonlySet<string> = new Set(["created_at", "last_seen_at"]);
const FIELDS: ReadonlySet<string> = new Set(["id", "is_identified", ...TIMES]);
