import * as z from "zod";
import { withOffset } from "../../../lib/core/time.ts";
import { SavedEndpoints } from "../../../lib/endpoints/saved-endpoints.ts";
import { text } from "../../../lib/http/fields.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";
import { ENDPOINT_NAME } from "../settings.ts";

/** Endpoints that one call may ask about. */
const MAX_NAMES = 1_000;

const isNames = (names: readonly string[]): boolean => names.every((name) => ENDPOINT_NAME.test(name));

export const LastExecutionTimesBody = z
  .object({
    names: z
      .array(text({ blank: true }))
      .max(MAX_NAMES)
      .refine(isNames, "Each must be the name of an endpoint: letters, digits, underscores and hyphens."),
  })
  .meta({ id: "EndpointLastExecutionTimesRequest" });

/** The state of a query in the form that clients of asynchronous queries read; this one is always complete. */
export const LastExecutionTimes = z
  .object({
    query_status: z.object({
      id: z.string(),
      team_id: z.int(),
      complete: z.boolean(),
      error: z.boolean(),
      error_code: z.string().nullable(),
      error_message: z.string().nullable(),
      query_async: z.boolean(),
      dashboard_id: z.int().nullable(),
      insight_id: z.int().nullable(),
      labels: z.array(z.string()).nullable(),
      task_id: z.string().nullable(),
      start_time: z.string().nullable(),
      end_time: z.string().nullable(),
      pickup_time: z.string().nullable(),
      expiration_time: z.string().nullable(),
      results: z.array(z.tuple([z.string(), z.string()])).nullable(),
      query_progress: z.null(),
      budget_remaining_bytes: z.int().nullable(),
      bytes_read: z.int().nullable(),
      cache_key: z.string().nullable(),
      query_scan: z.null(),
    }),
  })
  .meta({ id: "EndpointLastExecutionTimes" });

/** When each of these endpoints was last run with a key; what was never run, or is not there, is left out. */
export const lastExecutionTimes = async (
  table: Table,
  project: number,
  names: readonly string[],
): Promise<z.input<typeof LastExecutionTimes>> => ({
  query_status: {
    id: "",
    team_id: project,
    complete: true,
    error: false,
    error_code: null,
    error_message: null,
    query_async: true,
    dashboard_id: null,
    insight_id: null,
    labels: null,
    task_id: null,
    start_time: null,
    end_time: null,
    pickup_time: null,
    expiration_time: null,
    results: names.length === 0 ? null : await executed(table, project, [...new Set(names)]),
    query_progress: null,
    budget_remaining_bytes: null,
    bytes_read: null,
    cache_key: null,
    query_scan: null,
  },
});

const executed = async (table: Table, project: number, names: readonly string[]): Promise<[string, string][]> => {
  const keys = names.map((name) => ({ project, name }));
  const found = await getMany(table, SavedEndpoints, keys, { consistent: true });
  return found.flatMap(({ name, last_executed_at }): [string, string][] =>
    last_executed_at === null ? [] : [[name, withOffset(last_executed_at)]],
  );
};
