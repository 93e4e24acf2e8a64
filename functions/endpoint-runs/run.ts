import { withOffset } from "../../lib/core/time.ts";
import { queryOf } from "../../lib/endpoint/definition.ts";
import { findVersion, requireEndpoint } from "../../lib/endpoint/load.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/entities/saved-endpoints.ts";
import { QueryError, wireOf, withCaret } from "../../lib/hogql/errors.ts";
import { bare, invalid, notFound, standardError } from "../../lib/http/errors.ts";
import type { World } from "../../lib/world/world.ts";
import { askInsight, askSql } from "./ask.ts";
import { cachedResult, computeResult, type Result, type Run } from "./compute.ts";
import { noteExecution } from "./executed.ts";
import { checkKind, type RunInput, type RunQuery, runInput } from "./input.ts";
import type { RunResult } from "./reply.ts";
import { nameOfResult } from "./result-cache.ts";
import type { RunBody } from "./run-body.ts";

/** A client may ask for a forced refresh again after this. */
const CLIENT_REFRESH_MS = 60_000;

const OVERRIDE_IS_OLD =
  "filters_override is deprecated. Pass variables instead; to run without a value for a breakdown, make the breakdown optional " +
  "by listing it in optional_breakdown_properties.";

/** The active endpoint of this name. Throws 404. */
export const endpointToRun = async (world: World, project: { readonly id: number }, name: string): Promise<SavedEndpoint> => {
  const endpoint = await requireEndpoint(world.table, project.id, name);
  if (!endpoint.is_active) throw notFound();
  return endpoint;
};

/** Runs one version of an endpoint: from the result cache while that is fresh, else computed over the events as they are now. */
export const runEndpoint = async (
  world: World,
  project: { readonly id: number; readonly timezone: string },
  endpoint: SavedEndpoint,
  body: RunBody,
  query: RunQuery,
  headers: Record<string, string>,
): Promise<RunResult> => {
  const input = runInput(body, query);
  const version = await versionToRun(world, endpoint, input.version);
  const stored = queryOf(version);
  checkKind(stored, input);
  const moment = { now: world.clock.now(), timezone: project.timezone };
  const asked = stored.kind === "HogQLQuery" ? askSql(stored, version, input) : await askInsight(stored, version, input, moment);
  if (input.filtersOverride !== undefined) headers["x-posthog-warn"] = OVERRIDE_IS_OLD;
  const run: Run = {
    id: world.ids.uuid(),
    project,
    version,
    asked,
    key: nameOfResult(project.id, version.id, asked),
    now: moment.now,
  };
  const result = await resultOf(world, run, input);
  await noteExecution(world.table, endpoint, version, run.now);
  return replyOf(endpoint, run, input, result);
};

const versionToRun = async (world: World, endpoint: SavedEndpoint, number: number | undefined): Promise<EndpointVersion> => {
  const wanted = number ?? endpoint.current_version;
  const version = wanted < 1 ? undefined : await findVersion(world.table, endpoint, wanted);
  if (version === undefined) {
    throw bare(404, { error: `Version ${wanted} not found for endpoint '${endpoint.name}'`, current_version: endpoint.current_version });
  }
  if (!version.is_active) throw invalid(null, `Version ${wanted} of this endpoint is inactive. Activate it, or run another version.`);
  return version;
};

const resultOf = async (world: World, run: Run, input: RunInput): Promise<Result> => {
  try {
    return await (input.refresh === "cache" ? cachedResult(world, run) : computeResult(world, run));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { type, code } = wireOf(error);
    const sentence = run.asked.kind === "sql" ? withCaret(error, run.asked.query.query) : error.message;
    throw standardError(400, type, code, sentence, { cause: error });
  }
};

const replyOf = (endpoint: SavedEndpoint, run: Run, input: RunInput, { result, cached }: Result): RunResult => {
  const { asked } = run;
  return {
    results: [...result.rows],
    ...(asked.kind === "sql" ? columnsOf(result) : {}),
    hasMore: result.hasMore,
    ...(asked.kind === "sql" ? { ...asked.page, query: asked.query.query } : {}),
    error: null,
    clickhouse: null,
    metadata: null,
    is_cached: cached,
    last_refresh: seconds(result.computedAt),
    next_allowed_client_refresh: seconds(result.computedAt + CLIENT_REFRESH_MS),
    cache_target_age: seconds(result.computedAt + run.version.data_freshness_seconds * 1000),
    timezone: run.project.timezone,
    query_status: null,
    name: endpoint.name,
    execution_id: run.id,
    endpoint_version: run.version.version,
    endpoint_version_created_at: withOffset(run.version.created_at),
    ...(input.debug ? debugFields(run) : {}),
  };
};

const columnsOf = ({ columns }: Result["result"]) => ({
  columns: columns.map(({ name }) => name),
  types: columns.map(({ name, type }): [string, string] => [name, type]),
});

const debugFields = ({ key, asked }: Run) => ({
  cache_key: key,
  calculation_trigger: null,
  explain: null,
  hogql: asked.kind === "sql" ? asked.query.query : null,
  modifiers: asked.query.modifiers === null ? null : { ...asked.query.modifiers },
  resolved_date_range: null,
  timings: [],
});

const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
