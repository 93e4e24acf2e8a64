import * as z from "zod";
import { EndpointQuery } from "../../lib/endpoints/definition.ts";
import { DescribedRows, ResultBody } from "../../lib/endpoints/result-body.ts";
import { DashboardFilter } from "../../lib/insight/query.ts";

/** How clients of the query API ask for freshness: rows are computed by each call, so all of these mean the same. */
const REFRESH = [
  "cache",
  "force",
  "direct",
  "async",
  "async_except_on_cache_miss",
  "blocking",
  "force_async",
  "force_blocking",
  "force_cache",
  "lazy_async",
] as const;

/** A query to run once; a field that is not named here is refused by its name. */
export const QueryBody = z
  .strictObject({
    query: EndpointQuery,
    variables: z.record(z.string(), z.unknown()).nullish(),
    filters_override: DashboardFilter.nullish(),
    limit: z.int().meta({ minimum: 1 }).nullish(),
    offset: z.int().meta({ minimum: 0 }).nullish(),
    refresh: z.union([z.enum(REFRESH), z.boolean()]).nullish(),
    client_query_id: z.string().nullish(),
    name: z.string().nullish(),
  })
  .meta({ id: "QueryRequest" });
export type QueryBody = z.output<typeof QueryBody>;

const ABOUT =
  "Of a SQL query: rows of values, with columns, types and the query's text. Of an insight: its rows as objects, without these keys.";

/** The answer of a query: the rows of a run, with the id that the caller gave it. */
export const QueryResult = ResultBody.extend({ client_query_id: z.string().nullable() }).meta({ description: ABOUT });
export type QueryResult = z.input<typeof QueryResult>;

/** Headers of the reply, by what they say. */
export const QUERY_HEADERS = {
  "x-run-path": "How the rows came: always live, computed now; `live; engine=clickhouse` where ClickHouse computed them.",
} as const;

/** The names of the language: those of tables and their columns, and of functions. */
export const QuerySchema = z
  .object({
    tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) }).meta({ id: "QuerySchemaTable" })),
    functions: z.array(z.object({ name: z.string(), family: z.string() }).meta({ id: "QuerySchemaFunction" })),
  })
  .meta({ id: "QuerySchema" });
export type QuerySchema = z.input<typeof QuerySchema>;

/** The same with what its rows are. */
export const DescribedQueryResult = QueryResult.extend({ results: DescribedRows }).meta({ id: "QueryResult", description: ABOUT });
