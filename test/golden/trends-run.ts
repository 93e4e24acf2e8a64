import { lower } from "../../lib/hogql/lower.ts";
import type { Lowered } from "../../lib/hogql/lowered.ts";
import type { LowerOptions } from "../../lib/hogql/run.ts";
import { parseExpressions } from "../../lib/insight/parse-expressions.ts";
import type { InsightContext, InsightPlan, InsightRow } from "../../lib/insight/plan.ts";
import { TrendsQuery } from "../../lib/insight/query.ts";
import { expressionTexts } from "../../lib/insight/texts.ts";
import { planTrends } from "../../lib/insight/trends.ts";
import { type Golden, NOW } from "./harness.ts";

/** What a trend is asked with, beside the query as its author sends it. */
export interface Asked {
  readonly context?: Partial<InsightContext>;
  readonly lowering?: Partial<LowerOptions>;
}

export const planOf = async (query: Readonly<Record<string, unknown>>, { context = {} }: Asked = {}): Promise<InsightPlan> => {
  const parsed = TrendsQuery.parse({ kind: "TrendsQuery", ...query });
  const trees = await parseExpressions(expressionTexts(parsed));
  return planTrends(parsed, {
    now: NOW,
    timezone: "UTC",
    weekStart: 0,
    breakdownLimit: 10_000,
    breakdownValues: {},
    expression: (text) => trees[text] ?? { kind: "constant", value: null },
    ...context,
  });
};

/** The queries of a plan as the engine gets them. */
export const loweredPlan = (plan: InsightPlan, { context, lowering }: Asked = {}): readonly Lowered[] =>
  plan.queries.map(
    (ast) =>
      lower(ast, { project: 1, timezone: context?.timezone ?? "UTC", now: context?.now ?? NOW, variables: {}, page: null, ...lowering })
        .lowered,
  );

/** Plans a trend, runs its queries and makes its rows. */
export const trendRows = async (
  golden: Golden,
  query: Readonly<Record<string, unknown>>,
  asked: Asked = {},
): Promise<readonly InsightRow[]> => {
  const plan = await planOf(query, asked);
  const results = [];
  for (const lowered of loweredPlan(plan, asked)) results.push(await golden.run(lowered));
  return plan.rows(results);
};
