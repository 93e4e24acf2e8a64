import * as z from "zod";
import { isoSeconds } from "../core/time.ts";
import { INSIGHT_KINDS } from "../insight/kinds.ts";
import type { ResolvedQuery } from "./run/resolved-query.ts";
import type { StoredResult } from "./run/result-cache.ts";

/** The rows of any run. A SQL query has columns, types and its text, an insight has rows that say what they are. */
export const ResultBody = z.object({
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
});

/** The rows with what they are, which nobody checks row by row. */
export const DescribedRows = z.array(z.union([z.array(z.unknown()), ...Object.values(INSIGHT_KINDS).map(({ row }) => row)]));

/** A result as sent. From its computation on it counts as fresh for `freshMs`, and a client may ask for a newer one after `refreshMs`. */
export const resultBody = (
  query: ResolvedQuery,
  result: Pick<StoredResult, "columns" | "rows" | "hasMore" | "computedAt">,
  { isKept, freshMs, refreshMs, timezone }: ResultAge,
): z.input<typeof ResultBody> => ({
  results: [...result.rows],
  ...(query.kind === "sql" ? wireColumns(result) : {}),
  hasMore: result.hasMore,
  ...(query.kind === "sql" ? { ...query.page, query: query.query.query } : {}),
  error: null,
  clickhouse: null,
  metadata: null,
  is_cached: isKept,
  last_refresh: isoSeconds(result.computedAt),
  next_allowed_client_refresh: isoSeconds(result.computedAt + refreshMs),
  cache_target_age: isoSeconds(result.computedAt + freshMs),
  timezone,
  query_status: null,
});

interface ResultAge {
  readonly isKept: boolean;
  readonly freshMs: number;
  readonly refreshMs: number;
  readonly timezone: string;
}

const wireColumns = ({ columns }: Pick<StoredResult, "columns">) => ({
  columns: columns.map(({ name }) => name),
  types: columns.map(({ name, type }): [string, string] => [name, type]),
});
