import * as z from "zod";

/** What a run answers. A SQL query has columns, types and its text, an insight has rows that say what they are. */
export const RunResult = z
  .object({
    results: z.array(z.unknown()),
    columns: z.array(z.string()).optional(),
    types: z.array(z.tuple([z.string(), z.string()])).optional(),
    hasMore: z.boolean(),
    limit: z.int().optional(),
    offset: z.int().optional(),
    query: z.string().optional(),
    error: z.null(),
    clickhouse: z.null(),
    metadata: z.null(),
    is_cached: z.boolean(),
    last_refresh: z.string(),
    next_allowed_client_refresh: z.string(),
    cache_target_age: z.string(),
    timezone: z.string(),
    query_status: z.null(),
    name: z.string(),
    execution_id: z.guid(),
    endpoint_version: z.int(),
    endpoint_version_created_at: z.string(),
    cache_key: z.string().optional(),
    calculation_trigger: z.null().optional(),
    explain: z.null().optional(),
    hogql: z.string().nullable().optional(),
    modifiers: z.record(z.string(), z.unknown()).nullable().optional(),
    resolved_date_range: z.null().optional(),
    timings: z.array(z.object({ k: z.string(), t: z.number() })).optional(),
  })
  .meta({
    id: "EndpointRunResult",
    description:
      "Of a SQL query: rows of values, with columns, types and the query's text. Of an insight: its rows as objects, without these keys.",
  });
export type RunResult = z.input<typeof RunResult>;
