import { invalid } from "../../http/errors.ts";
import { type BreakdownFilter, breakdownNames, type DashboardFilter, type InsightQuery } from "../../insight/query.ts";
import { type InsightRow, NULL_VALUE, OTHER_VALUE } from "../../insight/rows.ts";
import type { MaterialisedTable } from "../materialisations.ts";
import { quotedNames } from "./variables.ts";

/** The input of a run of an insight with a table. */
interface SentValues {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly filtersOverride: DashboardFilter | undefined;
}

/**
 * Of an insight with a table every breakdown has to be given, but for those that may be left out: by its variable, or where it is
 * the only one by a filter of its own property. A filter of another one would answer the rows of all its values. Throws 400.
 */
export const requireBreakdowns = (query: InsightQuery, optional: readonly string[], { variables, filtersOverride }: SentValues): void => {
  const names = breakdownNames(query.breakdownFilter);
  const isFiltered =
    names.length === 1 &&
    filtersOverride?.properties?.some(({ key, value }) => key === names[0] && value !== null && value !== undefined) === true;
  const missing = names.filter((name) => !optional.includes(name) && (variables[name] ?? null) === null).toSorted();
  if (missing.length > 0 && !isFiltered) throw invalid("variables", `Required variable(s) ${quotedNames(missing)} not provided`);
};

/** The insight without the breakdowns that a run leaves out: its rows are of all their values together. */
export const withoutOmitted = <Q extends InsightQuery>(query: Q, variables: Readonly<Record<string, unknown>>): Q => {
  const { breakdownFilter } = query;
  if (breakdownFilter === null) return query;
  const isGiven = (name: string): boolean => (variables[name] ?? null) !== null;
  const { breakdowns, breakdown } = breakdownFilter;
  if (breakdowns !== null && breakdowns.length > 0) {
    const kept = breakdowns.filter(({ property }) => isGiven(String(property)));
    return { ...query, breakdownFilter: kept.length === 0 ? null : { ...breakdownFilter, breakdowns: kept } };
  }
  return breakdown === null || breakdownNames(breakdownFilter).some(isGiven) ? query : { ...query, breakdownFilter: null };
};

/** The value of the only breakdown that an override names and nothing else, in place of variables; null for any other override. */
export const overriddenBreakdown = (
  { breakdownFilter }: InsightQuery,
  { properties, ...others }: DashboardFilter,
): Readonly<Record<string, string>> | null => {
  const [name, ...more] = breakdownNames(breakdownFilter);
  const [filter, ...further] = properties ?? [];
  if (name === undefined || filter === undefined || more.length > 0 || further.length > 0) return null;
  if (Object.values(others).some((other) => other !== null) || changesValues(breakdownFilter)) return null;
  const type = breakdownFilter?.breakdowns?.[0]?.type ?? breakdownFilter?.breakdown_type ?? "event";
  const [value, ...values] = [filter.value].flat();
  const isOne = value !== null && value !== undefined && value !== "" && values.length === 0;
  const isOwn = filter.key === name && (filter.type ?? "event") === type && (type === "event" || type === "person");
  const isEqual = isOwn && (filter.operator ?? "exact") === "exact";
  return isOne && isEqual ? { [name]: String(value) } : null;
};

/** The values in the rows are not those of the property. */
const changesValues = (filter: BreakdownFilter | null): boolean =>
  filter?.breakdown_normalize_url === true ||
  filter?.breakdown_path_cleaning === true ||
  filter?.breakdowns?.some(({ normalize_url }) => normalize_url === true) === true;

/** Whether values of the breakdowns stand in the rows as runs name them; those of a histogram are ranges, and joined ones may be read in two ways. */
export const namesRows = (
  { kind, breakdownFilter }: InsightQuery,
  values: Readonly<Record<string, string>>,
  table: Pick<MaterialisedTable, "variables">,
): boolean => {
  const isBinned = breakdownFilter?.breakdown_histogram_bin_count != null;
  const isBinnedOne = breakdownFilter?.breakdowns?.some(({ histogram_bin_count }) => histogram_bin_count !== null) ?? false;
  const isJoined = kind === "RetentionQuery" && table.variables.length > 1;
  return (
    !isBinned &&
    !isBinnedOne &&
    table.variables.every((name) => Object.hasOwn(values, name)) &&
    !(isJoined && table.variables.some((name) => BLURS_JOIN.test(values[name] ?? "")))
  );
};

/** Of a value with these, `::` between it and another does not tell where the one ends. */
const BLURS_JOIN = /^:|::|:$/;

/** The rows of the table's insight that have these values of its breakdowns. */
export const rowsWith = (
  rows: readonly InsightRow[],
  { variables }: MaterialisedTable,
  values: Readonly<Record<string, string>>,
): readonly InsightRow[] => {
  if (variables.length === 0) return rows;
  const wanted = variables.map((name) => values[name] || NULL_VALUE);
  return rows.filter(({ breakdown_value: value }) =>
    Array.isArray(value) ? wanted.every((each, index) => value[index] === each) : value === wanted.join("::"),
  );
};

/**
 * Whether the rows that a run names are all that the table's insight has of them. Past the limit of a breakdown's values, those that a
 * series, by its `order`, has no row of may be among its others, which only the events tell apart; a formula's rows leave them out.
 */
export const knowsAll = (rows: readonly InsightRow[], named: readonly InsightRow[]): boolean => {
  const shown = new Set(named.flatMap(({ order, action }) => (action === null ? [] : [order])));
  return rows === named || rows.every((row) => !isOfOthers(row) || shown.has(row.order));
};

const isOfOthers = ({ breakdown_value: value }: InsightRow): boolean => (Array.isArray(value) ? value[0] : value) === OTHER_VALUE;
