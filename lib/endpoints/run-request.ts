import type { EnginePorts } from "../engine/engine.ts";
import { bare, invalid } from "../http/errors.ts";
import { type StoredQuery, storedQuery } from "./definition.ts";
import { rememberedVersion } from "./load.ts";
import type { Materialisation } from "./materialisations.ts";
import type { RequestedVersion } from "./requested-version.ts";
import { variableNames } from "./run/insight-variables.ts";
import { rememberedTable } from "./run/remembered-table.ts";
import { type ResolvedQuery, type RunInput, resolveInsight, resolveSql } from "./run/resolved-query.ts";
import { resultName } from "./run/result-cache.ts";
import { requireValues } from "./run/variables.ts";
import type { EndpointVersion, SavedEndpoint } from "./saved-endpoints.ts";

/** The project that a run belongs to. */
export interface RunProject {
  readonly id: number;
  readonly timezone: string;
}

/** A run that is allowed: which version, with which values in its query, at which moment in milliseconds. */
export interface RunRequest {
  readonly id: string;
  readonly project: RunProject;
  readonly endpoint: SavedEndpoint;
  readonly version: EndpointVersion;
  readonly input: RunInput;
  readonly query: ResolvedQuery;
  /** The version's table, where one was switched on. */
  readonly materialisation: Materialisation | undefined;
  /** The object key under which its result is kept. */
  readonly key: string;
  readonly now: number;
}

/** Decides what a run of this endpoint is. Throws 400 and 404 for what may not be run so. */
export const resolveRun = async (
  world: EnginePorts,
  project: RunProject,
  endpoint: SavedEndpoint,
  input: RunInput,
  names: readonly string[],
): Promise<RunRequest> => {
  const version = await versionToRun(world, endpoint, input.version);
  const stored = storedQuery(version);
  checkPlaces(names, declaredNames(stored));
  const materialisation = version.has_table ? await rememberedTable(world, endpoint, version) : undefined;
  checkKind(stored, input, materialisation !== undefined);
  const now = world.clock.now();
  const table = materialisation?.table ?? null;
  const query = await resolveQuery(stored, version, input, { now, timezone: project.timezone, hasTable: table !== null });
  if (query.kind === "sql" && table !== null) requireValues(query, input.variables);
  return {
    id: world.ids.uuid(),
    project,
    endpoint,
    version,
    input,
    query,
    materialisation,
    key: resultName({ project, version: version.id, forgottenAt: endpoint.forgotten_at }, query),
    now,
  };
};

/** Fields of the body that the query string has not. */
const BODY_ALONE: readonly string[] = ["client_query_id", "debug", "filters_override", "refresh", "variables"];

/** A query parameter that was meant to change the answer, and does not, would be answered with the default's numbers. Throws 400. */
const checkPlaces = (names: readonly string[], variables: readonly string[]): void => {
  const field = names.find((name) => BODY_ALONE.includes(name));
  if (field !== undefined)
    throw invalid(field, `Send ${field} in the JSON body of a POST. The query string takes version, limit and offset.`);
  const variable = names.find((name) => variables.includes(name) && !NUMBERS.includes(name));
  if (variable === undefined) return;
  throw invalid(
    variable,
    `Send the variable '${variable}' in the JSON body of a POST, as {"variables": {${JSON.stringify(variable)}: …}}.`,
  );
};

const NUMBERS: readonly string[] = ["version", "limit", "offset"];

/** What only some kinds of queries take is refused by its name. Throws 400. */
export const checkKind = ({ kind }: StoredQuery, { filtersOverride, offset, refresh }: RunInput, hasTable: boolean): void => {
  if (kind === "HogQLQuery" && filtersOverride !== undefined) {
    throw invalid("filters_override", "Only endpoints made from an insight take filters_override. Use variables instead.");
  }
  if (kind !== "HogQLQuery" && offset !== undefined) {
    throw invalid("offset", "An insight answers all of its rows. Leave out limit and offset, or save a SQL query to page through.");
  }
  if (refresh === "direct" && !hasTable) {
    throw invalid("refresh", "This version is not materialized, so there is nothing to go past. Use cache or force.");
  }
};

/** The variables of a query of either kind. */
const declaredNames = (query: StoredQuery): readonly string[] =>
  query.kind === "HogQLQuery" ? Object.values(query.variables ?? {}).map(({ code_name }) => code_name) : variableNames(query);

const versionToRun = async (world: EnginePorts, endpoint: SavedEndpoint, asked: RequestedVersion | undefined): Promise<EndpointVersion> => {
  const wanted = asked ?? endpoint.current_version;
  const version = await rememberedVersion(world, endpoint, wanted);
  if (version === undefined) {
    throw bare(404, { error: `Version ${wanted} not found for endpoint '${endpoint.name}'`, current_version: endpoint.current_version });
  }
  if (!version.is_active) throw invalid(null, `Version ${wanted} of this endpoint is inactive. Activate it, or run another version.`);
  return version;
};

const resolveQuery = async (
  stored: StoredQuery,
  version: EndpointVersion,
  input: RunInput,
  moment: { readonly now: number; readonly timezone: string; readonly hasTable: boolean },
): Promise<ResolvedQuery> =>
  stored.kind === "HogQLQuery" ? resolveSql(stored, version, input) : resolveInsight(stored, version, input, moment);
