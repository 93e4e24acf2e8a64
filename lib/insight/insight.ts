import { Defect, unreachable } from "../core/unreachable.ts";
import type { Expr } from "../hogql/syntax/ast.ts";
import type { InsightContext, InsightPlan } from "./plan.ts";
import type { InsightQuery } from "./query.ts";
import { planRetention } from "./retention/retention.ts";
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

/** An insight of any kind as queries. Throws `QueryError` for what it asks and nobody can answer. */
export const planInsight = (query: InsightQuery, context: InsightContext): InsightPlan => {
  switch (query.kind) {
    case "TrendsQuery":
      return planTrends(query, context);
    case "RetentionQuery":
      return planRetention(query, context);
    default:
      return unreachable(query);
  }
};
