import { lower } from "../../lib/hogql/lower.ts";
import type { Lowered } from "../../lib/hogql/lowered.ts";
import { parseExpressions } from "../../lib/insight/parse-expressions.ts";
import type { InsightContext, InsightPlan } from "../../lib/insight/plan.ts";
import { RetentionQuery } from "../../lib/insight/query.ts";
import { planRetention } from "../../lib/insight/retention.ts";
import { expressionTexts } from "../../lib/insight/texts.ts";
import { type Golden, NOW } from "./harness.ts";

/** A retention's result, as the contract has it. */
export interface RetentionRow {
  readonly values: readonly { readonly count: number; readonly label: string; readonly aggregation_value?: number }[];
  readonly label: string;
  readonly date: string;
  readonly breakdown_value: string | null;
}

const MAX_ROWS = 100_000;

export const planOf = async (query: Readonly<Record<string, unknown>>, context: Partial<InsightContext> = {}): Promise<InsightPlan> => {
  const parsed = RetentionQuery.parse({ kind: "RetentionQuery", ...query });
  const trees = await parseExpressions(expressionTexts(parsed));
  return planRetention(parsed, {
    now: NOW,
    timezone: "UTC",
    weekStart: 0,
    breakdownLimit: 10_000,
    breakdownValues: {},
    expression: (text) => trees[text] ?? { kind: "constant", value: null },
    ...context,
  });
};

export const loweredPlan = (plan: InsightPlan, { timezone = "UTC", now = NOW }: Partial<InsightContext> = {}): readonly Lowered[] =>
  plan.queries.map(
    (ast) => lower(ast, { project: 1, timezone, now, variables: {}, page: null, maxRows: MAX_ROWS, defaultRows: MAX_ROWS }).lowered,
  );

/** Plans a retention, runs its queries and makes its rows. */
export const retentionRows = async (
  golden: Golden,
  query: Readonly<Record<string, unknown>>,
  context: Partial<InsightContext> = {},
): Promise<readonly RetentionRow[]> => {
  const plan = await planOf(query, context);
  const results = [];
  for (const lowered of loweredPlan(plan, context)) results.push(await golden.run(lowered));
  return asRows(plan.rows(results));
};

/** The plan's rows are those of the contract; what they hold, each test checks. */
const asRows = (rows: ReturnType<InsightPlan["rows"]>): readonly RetentionRow[] => rows as unknown as readonly RetentionRow[];
