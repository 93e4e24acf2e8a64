import * as z from "zod";
import { DashboardFilter } from "../../lib/insight/query.ts";

/** The body of a run; a field that is not named here is refused by its name. */
export const RunBody = z
  .strictObject({
    client_query_id: z.string().nullish(),
    debug: z.boolean().nullish(),
    filters_override: DashboardFilter.nullish(),
    limit: z.int().meta({ minimum: 1 }).nullish(),
    offset: z.int().meta({ minimum: 0 }).nullish(),
    refresh: z.enum(["cache", "force", "direct"]).nullish(),
    variables: z.record(z.string(), z.unknown()).nullish(),
    version: z.int().meta({ minimum: 1 }).nullish(),
  })
  .meta({ id: "EndpointRunRequest" });
export type RunBody = z.output<typeof RunBody>;
