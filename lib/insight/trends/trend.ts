import { unreachable } from "../../core/unreachable.ts";
import { QueryError } from "../../hogql/errors.ts";
import { type Breakdowns, readBreakdowns } from "../breakdowns/breakdowns.ts";
import { type Clock, resolveRange, type Span } from "../dates.ts";
import { filterExpressions } from "../filters/expressions.ts";
import type { InsightContext } from "../plan.ts";
import type { Display, EventsNode, Interval, SeriesNode, TrendsFilter, TrendsQuery } from "../query.ts";
import { type Formula, parseFormula } from "./formula.ts";
import { type Period, readPeriods } from "./period.ts";
import type { Result } from "./rows.ts";
import { type Calculation, readMath } from "./series/math.ts";

/** A trend with everything its author wrote understood. */
export interface Trend extends Result {
  readonly series: readonly Series[];
  readonly breakdowns: Breakdowns;
  readonly formulas: readonly { readonly formula: Formula; readonly label: string }[];
  readonly periods: readonly Period[];
  /** The share of people that is looked at; null is all. */
  readonly sample: number | null;
  /** Buckets that are averaged into one; 1 is none. */
  readonly smoothing: number;
}

export interface Series {
  readonly node: EventsNode;
  readonly order: number;
  readonly math: Calculation;
}

/** Displays that show one number of the whole range. */
const TOTALS: ReadonlySet<Display> = new Set([
  "BoldNumber",
  "ActionsPie",
  "ActionsBarValue",
  "ActionsTable",
  "WorldMap",
  "CalendarHeatmap",
]);

/** Reads a trend. Throws `QueryError` for what it asks and nobody can answer. */
export const readTrend = (query: TrendsQuery, context: InsightContext): Trend => {
  const isTotal = TOTALS.has(readDisplay(query));
  const isCumulative = readDisplay(query) === "ActionsLineGraphCumulative";
  const interval = readInterval(query);
  const isExact = query.dateRange?.explicitDate === true;
  const periods = readPeriods(trendRange(query, context), query.compareFilter, { interval, isExact, clock: context });
  const breakdowns = readBreakdowns(query.breakdownFilter, context);
  if (query.series.length > MAX_SERIES) throw new QueryError("too_complex", `A trend has at most ${MAX_SERIES} series.`);
  if (query.conversionGoal !== null) throw new QueryError("unsupported", "Conversion goals are not supported: add a series and a formula.");
  const place = { interval, isTotal, isCumulative, groupTypeIndex: query.aggregation_group_type_index };
  return {
    query,
    interval,
    isTotal,
    isCumulative,
    periods,
    breakdowns,
    form: breakdowns.form,
    isCompared: periods.length > 1,
    series: query.series.map((node, order) => readSeries(node, order, (events) => readMath(events, place, context))),
    formulas: readFormulas(query.trendsFilter, query.series.length),
    sample: readSample(query.samplingFactor),
    smoothing: isTotal ? 1 : readSmoothing(query.trendsFilter),
  };
};

const readDisplay = ({ trendsFilter }: TrendsQuery): Display => trendsFilter?.display ?? "ActionsLineGraph";

const readInterval = (query: TrendsQuery): Interval => (TOTALS.has(readDisplay(query)) ? "day" : (query.interval ?? "day"));

/** The moments that a trend counts events of. Throws `QueryError`. */
export const trendRange = (query: TrendsQuery, clock: Clock): Span => resolveRange(query.dateRange, readInterval(query), clock);

/** The expressions that a trend's series hold as text. */
export const trendTexts = ({ series }: TrendsQuery): readonly string[] => series.flatMap(seriesTexts);

const seriesTexts = (node: SeriesNode): readonly string[] => {
  if (node.kind === "DataWarehouseNode") return [];
  const math = node.math === "hogql" && node.math_hogql !== null ? [node.math_hogql] : [];
  return [...math, ...filterExpressions(node.properties), ...filterExpressions(node.fixedProperties)];
};

/** Most series of one trend, and formulas: each series is a query of its own. */
const MAX_SERIES = 50;

const readSeries = (node: SeriesNode, order: number, math: (node: EventsNode) => Calculation): Series => {
  switch (node.kind) {
    case "EventsNode":
      return { node, order, math: math(node) };
    case "ActionsNode":
      throw new QueryError("unsupported", "Actions do not exist here: use an EventsNode with the event's name and properties.");
    case "DataWarehouseNode":
      throw new QueryError("unsupported", "Warehouse tables do not exist here: use an EventsNode.");
    default:
      return unreachable(node);
  }
};

const readFormulas = (filter: TrendsFilter | null, series: number): Trend["formulas"] => {
  const nodes = filter?.formulaNodes ?? [];
  const texts = filter?.formulas ?? [];
  const all =
    nodes.length > 0 ? nodes : (texts.length > 0 ? texts : [filter?.formula ?? ""]).map((formula) => ({ formula, custom_name: null }));
  if (all.length > MAX_SERIES) throw new QueryError("too_complex", `A trend has at most ${MAX_SERIES} formulas.`);
  return all
    .filter(({ formula }) => formula.trim() !== "")
    .map(({ formula, custom_name: name }) => ({ formula: parseFormula(formula, series), label: name || `Formula (${formula})` }));
};

/** Most intervals that are averaged into one. */
const MAX_SMOOTHING = 1_000;

const readSmoothing = (filter: TrendsFilter | null): number => {
  const intervals = Math.max(1, filter?.smoothingIntervals ?? 1);
  if (intervals <= MAX_SMOOTHING) return intervals;
  throw new QueryError("invalid_input", `\`smoothingIntervals\` is at most ${MAX_SMOOTHING}.`);
};

const readSample = (factor: number | null): number | null => {
  if (factor === null || factor === 1) return null;
  if (factor > 0 && factor < 1) return factor;
  throw new QueryError("invalid_input", "`samplingFactor` is a share above 0 and up to 1.");
};
