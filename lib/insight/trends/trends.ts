import { EARLIEST, earliestTime, type InsightContext, type InsightPlan, type PlanCell } from "../plan.ts";
import type { TrendsQuery } from "../query.ts";
import { checkNumbers, type InsightRow } from "../rows.ts";
import { applyFormula, inOrder, type Line, runningTotal, smooth } from "./lines.ts";
import { type Period, type Shown, shown } from "./period.ts";
import { makeRow } from "./rows.ts";
import { readFolded } from "./series/fold.ts";
import type { Calculation } from "./series/math.ts";
import { planSeries, type SeriesPlan } from "./series/series.ts";
import { readTrend, type Series, type Trend } from "./trend.ts";

/**
 * Counts of events over time as queries: one for each series and period. The breakdown's limit is the context's, and what is past
 * it is always kept in a row of others, whatever the insight says of both. Throws `QueryError` for what cannot be planned; so does
 * `rows` when a range without a start turns out to have too many buckets.
 */
export const planTrends = (query: TrendsQuery, context: InsightContext): InsightPlan => {
  const trend = readTrend(query, context);
  const { periods } = trend;
  const plans = periods.map((period) => trend.series.map((series) => planOne(trend, series, period, context)));
  const isOpen = periods.some((period) => period.isOpen);
  const queries = plans.flat().map((plan) => plan.query);
  return {
    queries: isOpen ? [EARLIEST, ...queries] : queries,
    rows: (results) => {
      const earliest = isOpen ? earliestTime(results[0] ?? []) : null;
      const own = isOpen ? results.slice(1) : results;
      return periods.flatMap((period, index) => {
        const from = index * trend.series.length;
        const found = own.slice(from, from + trend.series.length);
        return periodRows(trend, period, plans[index] ?? [], found, shown(period, trend.interval, earliest, context));
      });
    },
  };
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
const periodRows = (
  trend: Trend,
  period: Period,
  plans: readonly SeriesPlan[],
  results: readonly Rows[],
  window: Shown,
): readonly InsightRow[] => {
  checkNumbers(results.reduce((lines, rows) => lines + Math.max(1, rows.length), 0) * (trend.isTotal ? 1 : window.to - window.from));
  const lines = trend.series.map(({ math }, index) => seriesLines(trend, math, plans[index], results[index] ?? [], window));
  if (trend.formulas.length === 0) {
    return trend.series.flatMap(({ node, order }, index) =>
      (lines[index] ?? []).map((line) => makeRow(trend, { kind: "series", node, order }, line, period.label, window)),
    );
  }
  return trend.formulas.flatMap(({ formula, label }, order) =>
    applyFormula(formula, lines).map((line) => makeRow(trend, { kind: "formula", label, order }, line, period.label, window)),
  );
};

/** One series' lines, in order; without breakdowns there is always one. */
const seriesLines = (trend: Trend, math: Calculation, plan: SeriesPlan | undefined, rows: Rows, { from, to }: Shown): readonly Line[] => {
  const dimensions = trend.breakdowns.dimensions.length;
  const found = readFolded(dimensions === 0 && rows.length === 0 ? [[[], []]] : rows, dimensions);
  const factor = math.scales && trend.sample !== null ? trend.sample : 1;
  const lines = inOrder(
    found.map((foldQuery) => ({
      isOther: foldQuery.isOther,
      values: foldQuery.values,
      numbers: (plan?.numbers(foldQuery, from, to) ?? []).map((number) => number / factor),
    })),
  );
  return lines.map((line) => ({ ...line, numbers: shape(trend, line.numbers) }));
};

const shape = ({ isCumulative, smoothing }: Trend, numbers: readonly number[]): readonly number[] => {
  const summed = isCumulative ? runningTotal(numbers) : numbers;
  return smoothing === 1 ? summed : smooth(summed, smoothing);
};
