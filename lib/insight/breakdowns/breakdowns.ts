import type { Expr } from "../../hogql/ast.ts";
import { call, compare, constant } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import { propertySubject } from "../filters/filters.ts";
import type { InsightContext } from "../plan.ts";
import type { Breakdown, BreakdownFilter } from "../query.ts";
import { type Bins, binKeys, binText } from "./histogram.ts";

/** One breakdown of a series. */
export interface Dimension {
  /** Values of a row that together stand for the breakdown's value. */
  readonly keys: readonly Expr[];
  /** The value as text, NULL when the event has none, of the columns that hold the keys. */
  readonly text: (keys: readonly Expr[]) => Expr;
  /** Its values fall into bins of equal width. */
  readonly bins: Bins | null;
  /** The condition on events when the run names a value of the breakdown. */
  readonly only: Expr | null;
}

export interface Breakdowns {
  readonly dimensions: readonly Dimension[];
  /** How rows name a value: as text (the older form), as a list of texts, or as a cohort. */
  readonly form: "text" | "list" | "cohort";
}

/** The breakdowns of an insight, none when it has none. Throws `QueryError` for what does not exist here. */
export const readBreakdowns = (filter: BreakdownFilter | null, context: InsightContext): Breakdowns => {
  if (filter === null) return NONE;
  if (filter.breakdowns !== null && filter.breakdowns.length > 0) {
    return { form: "list", dimensions: filter.breakdowns.map((breakdown, index) => dimension(breakdown, index, context)) };
  }
  if (filter.breakdown === null) return NONE;
  const names = Array.isArray(filter.breakdown) ? filter.breakdown : [filter.breakdown];
  if (filter.breakdown_type === "cohort") return ofCohorts(names.map(String), context);
  const [property, ...more] = names;
  if (property === undefined) return NONE;
  if (more.length > 0) throw new QueryError("unsupported", "A list of breakdowns stands in `breakdowns`, not in `breakdown`.");
  const breakdown = {
    property,
    type: filter.breakdown_type,
    normalize_url: filter.breakdown_normalize_url,
    histogram_bin_count: filter.breakdown_histogram_bin_count,
    group_type_index: filter.breakdown_group_type_index,
  };
  return { form: "text", dimensions: [dimension(breakdown, 0, context)] };
};

const NONE: Breakdowns = { dimensions: [], form: "text" };

/** The cohort of everybody, the only one there is. */
const EVERYBODY = "all";

const ofCohorts = (ids: readonly string[], { breakdownValues }: InsightContext): Breakdowns => {
  const asked = [...ids, givenValue(EVERYBODY, breakdownValues) ?? EVERYBODY];
  if (asked.some((id) => id !== EVERYBODY)) throw noCohorts();
  return { form: "cohort", dimensions: [{ keys: [constant(EVERYBODY)], text: only, bins: null, only: null }] };
};

const noCohorts = (): QueryError =>
  new QueryError("unsupported", "Cohorts do not exist here: break down by a property of persons, with the type `person`.");

const only = ([item]: readonly Expr[]): Expr => item ?? constant(null);

const dimension = (breakdown: Breakdown, index: number, context: InsightContext): Dimension => {
  const name = String(breakdown.property);
  const item = breakdownItem(breakdown, name, context);
  const given = givenValue(name, context.breakdownValues);
  const narrowed = (compared: Expr): Expr | null => (given === undefined ? null : equals(compared, given));
  const count = breakdown.histogram_bin_count;
  if (count !== null) {
    const bins: Bins = { item: call("toFloat", item), count: binCount(count), index };
    return { keys: binKeys(bins), text: binText(bins), bins, only: narrowed(item) };
  }
  const text = mayBeEmpty(breakdown) ? call("nullIf", call("toString", item), constant("")) : call("toString", item);
  // A run names a value as the rows show it, so a normalised one is compared normalised.
  const shown = breakdown.normalize_url === true ? normalizeUrl(text) : text;
  return { keys: [shown], text: only, bins: null, only: narrowed(shown) };
};

/** The value that a run names of a breakdown. */
const givenValue = (name: string, values: InsightContext["breakdownValues"]): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** The expression of a breakdown, of whatever type the lowering finds. */
const breakdownItem = ({ type, group_type_index }: Breakdown, name: string, { expression }: InsightContext): Expr => {
  switch (type) {
    case "hogql":
      return expression(name);
    case "cohort":
      throw noCohorts();
    case "data_warehouse":
    case "data_warehouse_person_property":
      throw new QueryError("unsupported", "Warehouse tables do not exist here: break down by a property of events or persons.");
    default:
      return propertySubject({ key: name, type, group_type_index }).item;
  }
};

/** Properties of events, persons and groups are NULL when they are empty; other values need not be. */
const mayBeEmpty = ({ type }: Breakdown): boolean => type === "hogql" || type === "session";

const equals = (item: Expr, value: string): Expr => {
  const text = call("toString", item);
  if (value !== "") return compare("==", text, constant(value));
  return compare("==", call("nullIf", text, constant("")), constant(null));
};

/** A URL without `/`, `?` and `#` at its end; what consists of these alone is `/`. */
const normalizeUrl = (text: Expr): Expr => {
  const bare = call("replaceRegexpOne", text, constant("[/?#]+$"), constant(""));
  return call("if", compare("==", bare, constant("")), constant("/"), bare);
};

/** Most bins of a histogram. */
const MAX_BINS = 1_000;

const binCount = (count: number): number => {
  if (count >= 1 && count <= MAX_BINS) return count;
  throw new QueryError("invalid_input", `A histogram has 1 to ${MAX_BINS} bins, not ${count}.`);
};
