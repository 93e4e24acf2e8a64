import type * as z from "zod";
import { isoText } from "./dates/labels.ts";
import { type Clock, type Span, WEEK_START } from "./dates.ts";
import { breakdownExpressions, filterExpressions } from "./filters/expressions.ts";
import type { InsightContext, InsightPlan } from "./plan.ts";
import type { DashboardFilter, InsightQuery } from "./query.ts";
import { planRetention } from "./retention/retention.ts";
import { RetentionRow } from "./retention/rows.ts";
import { retentionRange, retentionTexts } from "./retention/settings.ts";
import { TrendRow } from "./trends/rows.ts";
import { trendRange, trendTexts } from "./trends/trend.ts";
import { planTrends } from "./trends/trends.ts";

/** Why an insight cannot have a table: the contract's code, and a sentence for the insight's author. */
export interface TableRefusal {
  readonly code: "query_type_not_materializable" | "compare_mode_not_supported" | "cohort_breakdown_not_supported";
  readonly text: string;
}

/**
 * All that is particular to one kind of insight. Dates, properties and breakdowns are not: every schema has the same keys for them, and
 * a run replaces or narrows them alike.
 */
interface InsightKind<Q extends InsightQuery> {
  /** Its queries, and how their rows become its own. Throws `QueryError` for what cannot be planned. */
  readonly plan: (query: Q, context: InsightContext) => InsightPlan;
  /** The form of its rows as they are sent. Runs of its table pick rows by the breakdown's value. */
  readonly row: z.ZodObject<{ readonly breakdown_value: z.ZodType }>;
  /** The moments that it looks at. Throws `QueryError`. */
  readonly range: (query: Q, clock: Clock) => Span;
  /** The expressions that it holds as text beside those of its properties and breakdowns. */
  readonly texts: (query: Q) => readonly string[];
  /** The keys that a dashboard's filter replaces beside those of every kind. */
  readonly overrides: (filter: DashboardFilter) => Partial<Q>;
  /** Why its rows cannot be kept as a table; null where they can. No kind is kept with breakdowns by cohorts. */
  readonly tableRefusal: (query: Q) => TableRefusal | null;
}

/** Every kind of insight, by the name that queries give it. */
export const INSIGHT_KINDS: { readonly [K in InsightQuery["kind"]]: InsightKind<Extract<InsightQuery, { readonly kind: K }>> } = {
  TrendsQuery: {
    plan: planTrends,
    row: TrendRow,
    range: trendRange,
    texts: trendTexts,
    overrides: ({ interval }) => (interval === null ? {} : { interval }),
    tableRefusal: ({ compareFilter }) => (compareFilter?.compare === true ? COMPARED : null),
  },
  RetentionQuery: {
    plan: planRetention,
    row: RetentionRow,
    range: retentionRange,
    texts: retentionTexts,
    // Its cohorts have a period of their own.
    overrides: () => ({}),
    tableRefusal: () => null,
  },
};

const COMPARED: TableRefusal = { code: "compare_mode_not_supported", text: "Compare mode is not supported: a table holds one period." };
const COHORTS: TableRefusal = {
  code: "cohort_breakdown_not_supported",
  text: "Cohort breakdowns are not supported: who is in a cohort changes.",
};

/** The entry of an insight's own kind, which takes the queries of its name. */
const entry = (query: InsightQuery): InsightKind<InsightQuery> => INSIGHT_KINDS[query.kind] as unknown as InsightKind<InsightQuery>;

/** An insight of any kind as queries. Throws `QueryError` for what it asks and nobody can answer. */
export const planInsight = (query: InsightQuery, context: InsightContext): InsightPlan => entry(query).plan(query, context);

/** The first and the last moment that an insight looks at, as ISO 8601; null where it begins with the earliest event there is. */
export const insightDates = (query: InsightQuery, { now, timezone }: Pick<Clock, "now" | "timezone">) => {
  const { from, to } = entry(query).range(query, { now, timezone, weekStart: WEEK_START });
  return { date_from: from === null ? null : isoText(from, timezone), date_to: isoText(to - 1n, timezone) };
};

/** Every expression that an insight holds as text, each once: maths, filters and breakdowns of the type `hogql`. */
export const expressionTexts = (query: InsightQuery): readonly string[] => [
  ...new Set([...filterExpressions(query.properties), ...breakdownExpressions(query.breakdownFilter), ...entry(query).texts(query)]),
];

/** Why an insight cannot have a table; null where it can. */
export const tableRefusal = (query: InsightQuery): TableRefusal | null => {
  const { breakdown_type, breakdowns } = query.breakdownFilter ?? {};
  const byCohorts = breakdown_type === "cohort" || breakdowns?.some(({ type }) => type === "cohort") === true;
  return entry(query).tableRefusal(query) ?? (byCohorts ? COHORTS : null);
};
