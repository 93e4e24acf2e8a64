import * as z from "zod";
import { isoOfMicros } from "../core/time.ts";
import type { Expr } from "../hogql/ast.ts";
import { call, constant, every, field } from "../hogql/build.ts";
import { QueryError } from "../hogql/errors.ts";
import type { FilterExpressions } from "../hogql/options.ts";
import { type Clock, endOf, startOf, WEEK_START, within } from "./dates.ts";
import { type FilterContext, filterCondition, propertiesCondition } from "./filters/filters.ts";
import { condition } from "./filters/operators.ts";
import { DateRange, PropertyFilter } from "./filters/property-filter.ts";

/** The `filters` of a SQL query, as its author wrote them. */
const SqlFilters = z.object({ dateRange: DateRange.nullish(), properties: z.array(PropertyFilter).nullish() });

/**
 * The expressions that `{filters}` and `{filters.dateRange.from|to}` of a SQL query stand for; dates of sessions are when they start. A bound
 * that is absent or `all` bounds nothing; `to` is the last microsecond of the range. Throws `QueryError`.
 */
export const sqlFilters = (filters: unknown, { now, timezone }: Pick<Clock, "now" | "timezone">): FilterExpressions => {
  const clock = { now, timezone, weekStart: WEEK_START };
  const { dateRange, properties } = parseFilters(filters);
  const context = { ...clock, expression: noExpression };
  const first = given(dateRange?.date_from);
  const last = given(dateRange?.date_to);
  const widen = dateRange?.explicitDate === true ? null : "second";
  const from = first === null ? null : startOf(first, clock, widen);
  const to = last === null ? null : endOf(last, clock, widen);
  return {
    condition: every([...within({ from, to }), ...(properties?.length ? [propertiesCondition(properties, context)] : [])]),
    ofSessions: every([
      ...within({ from, to }, field("$start_timestamp")),
      ...(properties ?? []).map((filter) => sessionCondition(filter, context)),
    ]),
    from: from === null ? null : localTime(from),
    to: to === null ? null : localTime(to - 1n),
  };
};

/** A filter in a query over sessions, whose columns stand by themselves there; what else is filtered by, the table does not have. */
const sessionCondition = (filter: PropertyFilter, context: FilterContext): Expr => {
  const { key, type, operator, value } = filter;
  return type === "session" ? condition({ item: field(key) }, operator ?? "exact", value, context) : filterCondition(filter, context);
};

/** A moment that is shown, and whose days and hours are asked for, in the project's time zone. */
const localTime = (micros: bigint): Expr => call("toDateTime64", constant(isoOfMicros(micros)), constant(6));

const given = (date: string | null | undefined): string | null => (date && date !== "all" ? date : null);

const noExpression = (): never => {
  throw new QueryError("unsupported", "The `filters` of a SQL query hold no expressions: write the condition in the query itself.");
};

const parseFilters = (filters: unknown): z.output<typeof SqlFilters> => {
  const result = SqlFilters.safeParse(filters ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new QueryError(
    "invalid_input",
    `\`filters${(issue?.path ?? []).map((part) => `.${String(part)}`).join("")}\`: ${issue?.message ?? "not understood"}`,
  );
};
