import type * as z from "zod";
import { Defect } from "../core/unreachable.ts";
import type { Expr } from "../hogql/syntax/ast.ts";
import { isoText } from "./dates/labels.ts";
import type { Clock, Span } from "./dates.ts";
import { textsOfBreakdowns, textsOfFilters } from "./filters/expressions.ts";
import type { InsightContext, InsightPlan } from "./plan.ts";
import { type InsightQuery, RetentionQuery, TrendsQuery } from "./query.ts";
import { planRetention } from "./retention/retention.ts";
import { retentionRange } from "./retention/settings.ts";
import { retentionTexts } from "./retention/texts.ts";
import { trendsTexts } from "./trends/texts.ts";
import { trendRange } from "./trends/trend.ts";
import { planTrends } from "./trends/trends.ts";

/** Most values of a breakdown that an endpoint's insight shows, whatever the insight itself asks for. */
export const BREAKDOWN_LIMIT = 10_000;

/** Weeks begin on Sunday: projects have no setting of their own. */
export const WEEK_START = 0 as const;

/** What a planning depends on besides the insight itself. */
export interface Planning {
  readonly now: number;
  readonly timezone: string;
  /** The tree of every expression of the insight, by its text. */
  readonly expressions: Readonly<Record<string, Expr>>;
  readonly breakdownValues: Readonly<Record<string, string>>;
}

export const planningContext = ({ now, timezone, expressions, breakdownValues }: Planning): InsightContext => ({
  now,
  timezone,
  weekStart: WEEK_START,
  breakdownLimit: BREAKDOWN_LIMIT,
  breakdownValues,
  expression: (text) => {
    const tree = Object.hasOwn(expressions, text) ? expressions[text] : undefined;
    if (tree === undefined) throw new Defect("an expression of an insight was not parsed");
    return tree;
  },
});

/** What one kind of insight is made of. */
interface InsightKind<Q extends InsightQuery> {
  readonly schema: z.ZodType<Q>;
  /** The expressions that it alone holds as text. */
  readonly texts: (query: Q) => readonly string[];
  readonly plan: (query: Q, context: InsightContext) => InsightPlan;
  readonly range: (query: Q, clock: Clock) => Span;
}

/** Every kind of insight, by the name that queries give. A further one is a folder, its schema in the list of them, and a line here. */
const KINDS: { readonly [K in InsightQuery["kind"]]: InsightKind<Extract<InsightQuery, { readonly kind: K }>> } = {
  TrendsQuery: { schema: TrendsQuery, texts: trendsTexts, plan: planTrends, range: trendRange },
  RetentionQuery: { schema: RetentionQuery, texts: retentionTexts, plan: planRetention, range: retentionRange },
};

/** The entry of an insight's own kind: each takes the queries of its name. */
const kindOf = (query: InsightQuery): InsightKind<InsightQuery> => KINDS[query.kind] as unknown as InsightKind<InsightQuery>;

/** An insight of any kind as queries. Throws `QueryError` for what it asks and nobody can answer. */
export const planInsight = (query: InsightQuery, context: InsightContext): InsightPlan => kindOf(query).plan(query, context);

/** The first and the last moment that an insight looks at, as ISO 8601; null where it begins with the earliest event there is. */
export const insightDates = (query: InsightQuery, { now, timezone }: Pick<Clock, "now" | "timezone">) => {
  const { from, to } = kindOf(query).range(query, { now, timezone, weekStart: WEEK_START });
  return { date_from: from === null ? null : isoText(from, timezone), date_to: isoText(to - 1n, timezone) };
};

/** Every expression that an insight holds as text, each once: maths, filters and breakdowns of the type `hogql`. */
export const expressionTexts = (query: InsightQuery): readonly string[] => [
  ...new Set([...textsOfFilters(query.properties), ...textsOfBreakdowns(query.breakdownFilter), ...kindOf(query).texts(query)]),
];

/** An insight of whatever kind it says it is. Throws for what is none. */
export const readInsight = (sent: { readonly kind: InsightQuery["kind"] }): InsightQuery => KINDS[sent.kind].schema.parse(sent);
