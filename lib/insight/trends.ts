import { QueryError } from "../hogql/errors.ts";
import { checkNumbers } from "./bounds.ts";
import { resolveRange } from "./dates.ts";
import { EARLIEST, earliestOf } from "./moments.ts";
import type { InsightContext, InsightPlan, InsightRow, PlanCell } from "./plan.ts";
import type { Display, EventsNode, Interval, SeriesNode, TrendsFilter, TrendsQuery } from "./query.ts";
import { type Breakdowns, breakdownsOf } from "./trends/breakdowns.ts";
import { unfolded } from "./trends/fold.ts";
import { type Formula, parseFormula } from "./trends/formula.ts";
import { applied, inOrder, type Line } from "./trends/lines.ts";
import { type Calculation, mathOf } from "./trends/math.ts";
import { type Period, periodsOf, type Shown, shown } from "./trends/period.ts";
import { type Result, rowOf } from "./trends/rows.ts";
import { planSeries, type SeriesPlan } from "./trends/series.ts";
import { runningTotal, smoothed } from "./trends/shape.ts";

/**
 * Counts of events over time as queries: one for each series and period. The breakdown's limit is the context's, and what is past
 * it is always kept in a row of others, whatever the insight says of both. Throws `QueryError` for what cannot be planned; so does
 * `rows` when a range without a start turns out to have too many buckets.
 */
export const planTrends = (query: TrendsQuery, context: InsightContext): InsightPlan => {
  const trend = trendOf(query, context);
  const { periods } = trend;
  const plans = periods.map((period) => trend.series.map((series) => planOne(trend, series, period, context)));
  const isOpen = periods.some((period) => period.isOpen);
  const queries = plans.flat().map((plan) => plan.query);
  return {
    queries: isOpen ? [EARLIEST, ...queries] : queries,
    rows: (results) => {
      const earliest = isOpen ? earliestOf(results[0] ?? []) : null;
      const own = isOpen ? results.slice(1) : results;
      return periods.flatMap((period, index) => {
        const from = index * trend.series.length;
        const found = own.slice(from, from + trend.series.length);
        return rowsOf(trend, period, plans[index] ?? [], found, shown(period, trend.interval, earliest, context));
      });
    },
  };
};

/** A trend with everything its author wrote understood. */
interface Trend extends Result {
  readonly series: readonly Series[];
  readonly breakdowns: Breakdowns;
  readonly formulas: readonly { readonly formula: Formula; readonly label: string }[];
  readonly periods: readonly Period[];
  /** The share of people that is looked at; null is all. */
  readonly sample: number | null;
  /** Buckets that are averaged into one; 1 is none. */
  readonly smoothing: number;
}

interface Series {
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

const trendOf = (query: TrendsQuery, context: InsightContext): Trend => {
  const display = query.trendsFilter?.display ?? "ActionsLineGraph";
  const isTotal = TOTALS.has(display);
  const isCumulative = display === "ActionsLineGraphCumulative";
  const interval: Interval = isTotal ? "day" : (query.interval ?? "day");
  const isExact = query.dateRange?.explicitDate === true;
  const periods = periodsOf(resolveRange(query.dateRange, interval, context), query.compareFilter, { interval, isExact, clock: context });
  const breakdowns = breakdownsOf(query.breakdownFilter, context);
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
    series: query.series.map((node, order) => seriesOf(node, order, (events) => mathOf(events, place, context))),
    formulas: formulasOf(query.trendsFilter, query.series.length),
    sample: sampleOf(query.samplingFactor),
    smoothing: isTotal ? 1 : Math.max(1, query.trendsFilter?.smoothingIntervals ?? 1),
  };
};

const seriesOf = (node: SeriesNode, order: number, math: (node: EventsNode) => Calculation): Series => {
  switch (node.kind) {
    case "EventsNode":
      return { node, order, math: math(node) };
    case "ActionsNode":
      throw new QueryError("unsupported", "Actions do not exist here: use an EventsNode with the event's name and properties.");
    case "DataWarehouseNode":
      throw new QueryError("unsupported", "Warehouse tables do not exist here: use an EventsNode.");
  }
};

const formulasOf = (filter: TrendsFilter | null, series: number): Trend["formulas"] => {
  const nodes = filter?.formulaNodes ?? [];
  const texts = filter?.formulas ?? [];
  const all =
    nodes.length > 0 ? nodes : (texts.length > 0 ? texts : [filter?.formula ?? ""]).map((formula) => ({ formula, custom_name: null }));
  return all
    .filter(({ formula }) => formula.trim() !== "")
    .map(({ formula, custom_name: name }) => ({ formula: parseFormula(formula, series), label: name || `Formula (${formula})` }));
};

const sampleOf = (factor: number | null): number | null => {
  if (factor === null || factor === 1) return null;
  if (factor > 0 && factor < 1) return factor;
  throw new QueryError("invalid_input", "`samplingFactor` is a share above 0 and up to 1.");
};

const planOne = (trend: Trend, { node, math }: Series, { range, countsFrom, line }: Period, context: InsightContext): SeriesPlan =>
  planSeries(
    {
      node,
      math,
      range: { from: countsFrom, to: range.to },
      line,
      dimensions: trend.breakdowns.dimensions,
      properties: trend.query.properties,
      sample: trend.sample,
      interval: trend.interval,
      isTotal: trend.isTotal,
    },
    context,
  );

type Rows = readonly (readonly PlanCell[])[];

/** The rows of one period: of each formula, or else of each series. */
const rowsOf = (
  trend: Trend,
  period: Period,
  plans: readonly SeriesPlan[],
  results: readonly Rows[],
  window: Shown,
): readonly InsightRow[] => {
  checkNumbers(results.reduce((lines, rows) => lines + Math.max(1, rows.length), 0) * (window.to - window.from));
  const lines = trend.series.map(({ math }, index) => linesOf(trend, math, plans[index], results[index] ?? [], window));
  if (trend.formulas.length === 0) {
    return trend.series.flatMap(({ node, order }, index) =>
      (lines[index] ?? []).map((line) => rowOf(trend, { kind: "series", node, order }, line, period.label, window)),
    );
  }
  return trend.formulas.flatMap(({ formula, label }, order) =>
    applied(formula, lines).map((line) => rowOf(trend, { kind: "formula", label, order }, line, period.label, window)),
  );
};

/** One series' lines, in order; without breakdowns there is always one. */
const linesOf = (trend: Trend, math: Calculation, plan: SeriesPlan | undefined, rows: Rows, { from, to }: Shown): readonly Line[] => {
  const dimensions = trend.breakdowns.dimensions.length;
  const found = unfolded(dimensions === 0 && rows.length === 0 ? [[[], []]] : rows, dimensions);
  const factor = math.scales && trend.sample !== null ? trend.sample : 1;
  const lines = inOrder(
    found.map((folded) => ({
      isOther: folded.isOther,
      values: folded.values,
      numbers: (plan?.numbers(folded, from, to) ?? []).map((number) => number / factor),
    })),
  );
  return lines.map((line) => ({ ...line, numbers: shaped(trend, line.numbers) }));
};

const shaped = ({ isCumulative, smoothing }: Trend, numbers: readonly number[]): readonly number[] => {
  const summed = isCumulative ? runningTotal(numbers) : numbers;
  return smoothing === 1 ? summed : smoothed(summed, smoothing);
};
