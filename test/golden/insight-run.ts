import * as z from "zod";
import { lower } from "../../lib/hogql/lower.ts";
import type { LoweredQuery } from "../../lib/hogql/lowered-query.ts";
import type { LowerOptions } from "../../lib/hogql/options.ts";
import { expressionTexts, planInsight } from "../../lib/insight/kinds.ts";
import { parseExpressions } from "../../lib/insight/parse-expressions.ts";
import { type InsightContext, type InsightPlan, planningContext } from "../../lib/insight/plan.ts";
import { INSIGHTS, type InsightQuery } from "../../lib/insight/query.ts";
import { type Golden, NOW } from "./harness.ts";

/** What an insight is asked with, beside the query as its author sends it. */
export interface Asked {
  readonly context?: Partial<InsightContext>;
  readonly lowering?: Partial<LowerOptions>;
}

type Sent = Readonly<Record<string, unknown>> & { readonly kind: InsightQuery["kind"] };

const Insight = z.discriminatedUnion("kind", INSIGHTS);

export const insightPlan = async (sent: Sent, { context = {} }: Asked = {}): Promise<InsightPlan> => {
  const query = Insight.parse(sent);
  const expressions = await parseExpressions(expressionTexts(query));
  return planInsight(query, { ...planningContext({ now: NOW, timezone: "UTC", expressions, breakdownValues: {} }), ...context });
};

/** The queries of a plan as the engine gets them. */
export const loweredPlan = (plan: InsightPlan, { context, lowering }: Asked = {}): readonly LoweredQuery[] =>
  plan.queries.map(
    (ast) =>
      lower(ast, { project: 1, timezone: context?.timezone ?? "UTC", now: context?.now ?? NOW, variables: {}, page: null, ...lowering })
        .lowered,
  );

/** Plans an insight, runs its queries and makes its rows. */
export const insightRows = async (golden: Golden, sent: Sent, asked: Asked = {}): Promise<ReturnType<InsightPlan["rows"]>> => {
  const plan = await insightPlan(sent, asked);
  const results = [];
  for (const lowered of loweredPlan(plan, asked)) results.push(await golden.run(lowered));
  return plan.rows(results);
};
