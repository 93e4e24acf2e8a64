import type { LoweredQuery } from "../../lib/hogql/lowered-query.ts";
import type { InsightContext, InsightPlan } from "../../lib/insight/plan.ts";
import type { Golden } from "./harness.ts";
import { type Asked, insightPlan, insightRows, loweredPlan as lowerPlan } from "./insight-run.ts";

/** A retention's result, as the contract has it. */
export interface RetentionRow {
  readonly values: readonly { readonly count: number; readonly label: string; readonly aggregation_value?: number }[];
  readonly label: string;
  readonly date: string;
  readonly breakdown_value: string | null;
}

const MAX_ROWS = 100_000;

type Sent = Readonly<Record<string, unknown>>;

const asked = (context: Partial<InsightContext>): Asked => ({ context, lowering: { maxRows: MAX_ROWS, defaultRows: MAX_ROWS } });

export const planOf = (query: Sent): Promise<InsightPlan> => insightPlan({ ...query, kind: "RetentionQuery" });

export const loweredPlan = (plan: InsightPlan): readonly LoweredQuery[] => lowerPlan(plan, asked({}));

/** Plans a retention, runs its queries and makes its rows. */
export const retentionRows = async (golden: Golden, query: Sent, context: Partial<InsightContext> = {}): Promise<readonly RetentionRow[]> =>
  asRows(await insightRows(golden, { ...query, kind: "RetentionQuery" }, asked(context)));

/** The plan's rows are those of the contract; what they hold, each test checks. */
const asRows = (rows: ReturnType<InsightPlan["rows"]>): readonly RetentionRow[] => rows as unknown as readonly RetentionRow[];
