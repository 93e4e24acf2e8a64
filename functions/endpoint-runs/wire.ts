import * as z from "zod";
import { isoMicros, SECOND_MS, withOffset } from "../../lib/core/time.ts";
import { livePath, loggedEffort } from "../../lib/endpoints/effort.ts";
import { DescribedRows, ResultBody, resultBody } from "../../lib/endpoints/result-body.ts";
import type { RunAnswer } from "../../lib/endpoints/run.ts";
import type { RunRequest } from "../../lib/endpoints/run-request.ts";
import { insightDates } from "../../lib/insight/kinds.ts";

/** The answer of a run. A SQL query has columns, types and its text, an insight has rows that say what they are. */
export const RunResult = ResultBody.extend({
  name: z.string(),
  execution_id: z.guid(),
  endpoint_version: z.int(),
  endpoint_version_created_at: z.string(),
  endpoint_materialized: z.literal(true).optional(),
  endpoint_materialized_at: z.string().optional(),
  cache_key: z.string().optional(),
  calculation_trigger: z.null().optional(),
  explain: z.null().optional(),
  hogql: z.string().nullable().optional(),
  modifiers: z.record(z.string(), z.unknown()).nullable().optional(),
  resolved_date_range: z.object({ date_from: z.string().nullable(), date_to: z.string() }).nullable().optional(),
  timings: z.array(z.object({ k: z.string(), t: z.number() })).optional(),
}).meta({
  description:
    "Of a SQL query: rows of values, with columns, types and the query's text. Of an insight: its rows as objects, without these keys.",
});
export type RunResult = z.input<typeof RunResult>;

/** The same with what its rows are, which nobody checks row by row. */
export const DescribedRunResult = RunResult.extend({
  results: DescribedRows,
}).meta({ id: "EndpointRunResult", description: RunResult.description ?? "" });

/** Headers of a run's reply, by what they say. */
export const RUN_HEADERS = {
  "x-posthog-warn": "What about the request is deprecated, and what to send instead.",
  "x-run-path":
    "Where the rows come from: live (computed now), kept (an earlier result) or materialised (the version's own table); `live; engine=clickhouse` where ClickHouse computed them.",
  "x-run-age": "Whole seconds since the rows were computed.",
  "x-run-passed-over": "Why the version's own table was not read.",
} as const;

/** A client may ask for a forced refresh again after this. */
const CLIENT_REFRESH_MS = 60_000;

const OVERRIDE_IS_OLD =
  "filters_override is deprecated. Pass variables instead; to run without a value for a breakdown, make the breakdown optional " +
  "by listing it in optional_breakdown_properties.";

/** How old the rows of an answer are at a moment in milliseconds, in whole seconds. */
export const ageSeconds = ({ result }: RunAnswer, now: number): number => Math.max(0, Math.round((now - result.computedAt) / 1_000));

/** A run's reply: its body, and what its headers say about how it was served. */
export const runReply = (request: RunRequest, answer: RunAnswer) => ({
  body: runBody(request, answer),
  headers: runHeaders(request, answer),
  logged: answer.effort === null ? {} : loggedEffort(answer.effort),
});

const runHeaders = ({ input, now }: RunRequest, answer: RunAnswer) => ({
  "x-run-path": answer.effort === null ? answer.path : livePath(answer.effort),
  "x-run-age": String(ageSeconds(answer, now)),
  ...(answer.passedOver !== null && { "x-run-passed-over": answer.passedOver }),
  ...(input.filtersOverride !== undefined && { "x-posthog-warn": OVERRIDE_IS_OLD }),
});

const runBody = (request: RunRequest, { path, result, isKept }: RunAnswer): RunResult => {
  const { query, version, endpoint } = request;
  return {
    ...resultBody(query, result, {
      isKept,
      freshMs: version.data_freshness_seconds * SECOND_MS,
      refreshMs: CLIENT_REFRESH_MS,
      timezone: request.project.timezone,
    }),
    name: endpoint.name,
    execution_id: request.id,
    endpoint_version: version.version,
    endpoint_version_created_at: withOffset(version.created_at),
    ...(path === "materialised" && {
      endpoint_materialized: true as const,
      endpoint_materialized_at: withOffset(isoMicros(result.computedAt)),
    }),
    ...(request.input.debug ? debugFields(request, result.computedAt) : {}),
  };
};

/** Dates are those of the rows: relative ones count from when these were computed. */
const debugFields = ({ key, query, project }: RunRequest, computedAt: number) => ({
  cache_key: key,
  calculation_trigger: null,
  explain: null,
  hogql: query.kind === "sql" ? query.query.query : null,
  modifiers: query.query.modifiers === null ? null : { ...query.query.modifiers },
  resolved_date_range: query.kind === "sql" ? null : insightDates(query.query, { now: computedAt, timezone: project.timezone }),
  timings: [],
});
