import { constant } from "../hogql/build.ts";
import { compilePattern } from "../hogql/regex.ts";
import type { Clock } from "./dates.ts";
import { propertiesCondition } from "./filters/filters.ts";
import { valueTexts } from "./filters/operators.ts";
import type { PropertyFilter } from "./filters/property-filter.ts";

/**
 * Checks filters that are kept apart from any query, as far as they say it by themselves: their kinds, values, dates and patterns. What
 * a project has no property of is known, and an expression is parsed, where a query is run with them. Throws `QueryError`.
 */
export const checkFilters = (filters: readonly PropertyFilter[], clock: Clock): void => {
  propertiesCondition([...filters], { ...clock, expression: () => constant(true) });
  for (const { operator, value, type } of filters)
    if (type !== "hogql" && (operator === "regex" || operator === "not_regex"))
      for (const pattern of valueTexts(operator, value)) compilePattern(pattern);
};
