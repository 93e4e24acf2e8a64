import { withOffset } from "../../lib/core/time.ts";
import type { StoredQuery } from "../../lib/endpoint/definition.ts";
import { findVersion, requireEndpoint } from "../../lib/endpoint/load.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/entities/saved-endpoints.ts";
import { QueryError, wireOf, withCaret } from "../../lib/hogql/errors.ts";
import { bare, invalid, notFound, standardError } from "../../lib/http/errors.ts";
import type { World } from "../../lib/world/world.ts";
import { cachedResult, computeResult, type Result, type Run } from "./compute.ts";
import { noteExecution } from "./executed.ts";
import { checkKind, type RunInput, type RunQuery, runInput } from "./input.ts";
import type { RunResult } from "./reply.ts";
import { nameOfResult } from "./result-cache.ts";
import type { RunBody } from "./run-body.ts";
import { variableValues } from "./variables.ts";

/** A client may ask for a forced refresh again after this. */
const CLIENT_REFRESH_MS = 60_000;

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
): Promise<RunResult> => {
  const input = runInput(body, query);
  const version = await versionToRun(world, endpoint, input.version);
  checkKind(body);
  const stored = storedQueryOf(version);
  const variables = variableValues(stored, input.variables);
  const run: Run = {
    id: world.ids.uuid(),
    project,
    version,
    query: stored,
    variables,
    page: input.limit === undefined ? null : { limit: input.limit, offset: input.offset ?? 0 },
    key: nameOfResult({ project: project.id, version: version.id, variables, limit: input.limit, offset: input.offset }),
    now: world.clock.now(),
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
    throw standardError(400, type, code, withCaret(error, run.query.query), { cause: error });
  }
};

const replyOf = (endpoint: SavedEndpoint, run: Run, input: RunInput, { result, cached }: Result): RunResult => {
  return {
    results: [...result.rows],
    columns: result.columns.map(({ name }) => name),
    types: result.columns.map(({ name, type }) => [name, type]),
    hasMore: result.hasMore,
    ...(run.page ?? {}),
    query: run.query.query,
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

const debugFields = (run: Run) => ({
  cache_key: run.key,
  calculation_trigger: null,
  explain: null,
  hogql: run.query.query,
  modifiers: run.query.modifiers === null ? null : { ...run.query.modifiers },
  resolved_date_range: null,
  timings: [],
});

const seconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/** The stored query is JSON text that `storedQuery` made. */
const storedQueryOf = (version: EndpointVersion): StoredQuery => JSON.parse(version.query) as StoredQuery;
