import type { World } from "../../lib/app/world.ts";
import { queryOf, type StoredQuery } from "../../lib/endpoints/definition.ts";
import { rememberedVersion } from "../../lib/endpoints/load.ts";
import type { Materialisation } from "../../lib/endpoints/materialisations.ts";
import { variableNames } from "../../lib/endpoints/run/insight-variables.ts";
import { type ResolvedQuery, resolveInsight, resolveSql } from "../../lib/endpoints/run/resolved-query.ts";
import { nameOfResult } from "../../lib/endpoints/run/result-cache.ts";
import type { RunInput } from "../../lib/endpoints/run/run-input.ts";
import { requireValues } from "../../lib/endpoints/run/variables.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import { bare, invalid } from "../../lib/http/errors.ts";
import { checkKind, checkPlaces } from "./input.ts";
import { rememberedTable } from "./materialised/remembered-table.ts";

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
  world: World,
  project: RunProject,
  endpoint: SavedEndpoint,
  input: RunInput,
  names: readonly string[],
): Promise<RunRequest> => {
  const version = await versionToRun(world, endpoint, input.version);
  const stored = queryOf(version);
  checkPlaces(names, namesOf(stored));
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
    key: nameOfResult(project.id, version.id, query),
    now,
  };
};

/** The variables of a query of either kind. */
const namesOf = (query: StoredQuery): readonly string[] =>
  query.kind === "HogQLQuery" ? Object.values(query.variables ?? {}).map(({ code_name }) => code_name) : variableNames(query);

const versionToRun = async (world: World, endpoint: SavedEndpoint, number: number | undefined): Promise<EndpointVersion> => {
  const wanted = number ?? endpoint.current_version;
  const version = wanted < 1 ? undefined : await rememberedVersion(world, endpoint, wanted);
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
