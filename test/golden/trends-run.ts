import type { InsightPlan } from "../../lib/insight/plan.ts";
import type { InsightRow } from "../../lib/insight/rows.ts";
import type { Golden } from "./harness.ts";
import { type Asked, insightPlan, insightRows } from "./insight-run.ts";

type Sent = Readonly<Record<string, unknown>>;

export const planOf = (query: Sent, asked?: Asked): Promise<InsightPlan> => insightPlan({ ...query, kind: "TrendsQuery" }, asked);

/** Plans a trend, runs its queries and makes its rows. */
export const trendRows = (golden: Golden, query: Sent, asked?: Asked): Promise<readonly InsightRow[]> =>
  insightRows(golden, { ...query, kind: "TrendsQuery" }, asked);
