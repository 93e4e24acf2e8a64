import * as z from "zod";
import { DashboardFilter } from "../../lib/insight/query.ts";

/** The body of a run; a field that is not named here is refused by its name. */
export const RunBody = z
  .strictObject({
    client_query_id: z.string().nullish(),
    debug: z.boolean().nullish(),
    filters_override: DashboardFilter.nullish().meta({
      description: "Insights only. Deprecated, and answered with the header X-PostHog-Warn. It wins over the variables.",
    }),
    limit: z.int().meta({ minimum: 1 }).nullish().meta({ description: "Rows at most; SQL queries only." }),
    offset: z.int().meta({ minimum: 0 }).nullish().meta({ description: "Rows to skip; needs limit." }),
    refresh: z.enum(["cache", "force", "direct"]).nullish(),
    variables: z.record(z.string(), z.unknown()).nullish().meta({
      description:
        "Of a SQL query: its variables by code name. Of an insight: date_from, date_to, and the value of each breakdown by the breakdown's name.",
    }),
    version: z.int().meta({ minimum: 1 }).nullish(),
  })
  .meta({ id: "EndpointRunRequest" });
export type RunBody = z.output<typeof RunBody>;
