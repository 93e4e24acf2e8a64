import type { World } from "../../lib/app/world.ts";
import { isoMicros } from "../../lib/core/time.ts";
import { accept } from "../../lib/endpoints/accept.ts";
import type { AcceptedQuery, EngineChoice } from "../../lib/endpoints/definition.ts";
import { switchOn, tableRefusal } from "../../lib/endpoints/materialise.ts";
import {
  type EndpointVersion,
  EndpointVersions,
  endpointsOfProject,
  type SavedEndpoint,
  SavedEndpoints,
} from "../../lib/endpoints/saved-endpoints.ts";
import { invalid } from "../../lib/http/errors.ts";
import { ConditionFailed, type Write } from "../../lib/ports/table.ts";
import { addToList } from "../../lib/table/bounded-list.ts";
import { untilListed } from "../../lib/table/paging.ts";
import { putting } from "../../lib/table/store.ts";
import type { EndpointBody } from "./bodies.ts";
import {
  cannotMaterialise,
  checkActive,
  checkEngine,
  checkFreshness,
  checkInsightId,
  checkName,
  checkSettings,
  tidyTags,
} from "./settings.ts";

export type SaveWorld = Pick<World, "table" | "queues" | "invocations" | "ids" | "clock" | "log">;

/** Whoever makes or changes an endpoint: the project it lies in, and the caller. */
export interface Author {
  readonly project: { readonly id: number; readonly timezone: string };
  readonly user: number | null;
}

/** Saves a new endpoint with its first version, or says which field is wrong. */
export const createEndpoint = async (
  world: SaveWorld,
  author: Author,
  body: EndpointBody,
): Promise<{ readonly endpoint: SavedEndpoint; readonly version: EndpointVersion }> => {
  const { project } = author;
  if (body.query === null || body.query === undefined) throw invalid("query", "A query is required.");
  const name = checkName(body.name);
  const accepted = await accept(body.query, world, project);
  const freshness = checkFreshness(body.data_freshness_seconds);
  const engine = checkEngine(body.engine);
  checkSettings(body, accepted.query);
  checkInsightId(body.derived_from_insight);
  if (body.is_materialized === true) {
    checkActive(body.is_active ?? true);
    const reason = await tableRefusal(world, project, { ...accepted, bucket_overrides: body.bucket_overrides ?? null });
    if (reason !== null) throw cannotMaterialise(reason);
  }
  const made = { ...author, at: isoMicros(world.clock.now()), id: world.ids.uuid() };
  const version = firstVersion(made, body, accepted, { id: world.ids.uuid(), freshness, engine });
  const endpoint = newEndpoint(made, body, name, version);
  const table = version.has_table ? switchOn(world, endpoint, version) : undefined;
  await save(world, endpoint, version, table?.writes ?? []);
  await table?.follow();
  return { endpoint, version };
};

/** An endpoint that is made: by whom, when, and what it is called by everything that belongs to it. */
interface NewEndpoint extends Author {
  readonly at: string;
  readonly id: string;
}

const firstVersion = (
  { project, user, at, id: endpoint_id }: NewEndpoint,
  body: EndpointBody,
  { query, ast, columns, property_types }: AcceptedQuery,
  { id, freshness, engine }: { readonly id: string; readonly freshness: number; readonly engine: EngineChoice },
): EndpointVersion => ({
  project: project.id,
  endpoint_id,
  version: 1,
  id,
  query: JSON.stringify(query),
  ast,
  columns,
  property_types,
  description: body.description ?? "",
  data_freshness_seconds: freshness,
  engine,
  is_active: true,
  bucket_overrides: body.bucket_overrides ?? null,
  has_table: body.is_materialized === true,
  optional_breakdown_properties: [...new Set(body.optional_breakdown_properties ?? [])],
  created_at: at,
  updated_at: null,
  created_by: user,
  last_executed_at: null,
});

const newEndpoint = (
  { project, user, at, id }: NewEndpoint,
  body: EndpointBody,
  name: string,
  version: EndpointVersion,
): SavedEndpoint => ({
  project: project.id,
  name,
  id,
  created_at: at,
  updated_at: at,
  created_by: user,
  is_active: body.is_active ?? true,
  derived_from_insight: body.derived_from_insight ?? null,
  tags: tidyTags(body.tags ?? []),
  current_version: 1,
  current_version_id: version.id,
  last_executed_at: null,
});

const save = async (world: SaveWorld, endpoint: SavedEndpoint, version: EndpointVersion, more: readonly Write[]): Promise<void> => {
  try {
    await addToList(world, endpointsOfProject(endpoint.project), [
      putting(SavedEndpoints, endpoint, { kind: "absent" }),
      putting(EndpointVersions, version),
      ...more,
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed)
      throw invalid("name", `An endpoint named "${endpoint.name}" exists already. Choose another name, or update that one.`);
    throw error;
  }
  await untilListed(world.table, SavedEndpoints, "inOrder", endpoint);
};
