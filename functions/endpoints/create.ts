import { isoMicros } from "../../lib/core/time.ts";
import { enable } from "../../lib/endpoint/materialisation/state.ts";
import {
  type EndpointVersion,
  EndpointVersions,
  type SavedEndpoint,
  SavedEndpoints,
} from "../../lib/entities/endpoints/saved-endpoints.ts";
import { invalid } from "../../lib/http/errors.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import { counting } from "../../lib/table/paging.ts";
import { counterOf } from "../../lib/table/partitions.ts";
import { putting } from "../../lib/table/store.ts";
import { untilListed } from "../../lib/table/until-listed.ts";
import { accept } from "./acceptance/accept.ts";
import type { EndpointBody } from "./bodies.ts";
import { cannotMaterialise, checkActive, type MaterialiseWorld, refusalOf } from "./materialisation/materialise.ts";
import { checkFreshness, checkName, checkSettings, tidyTags } from "./settings.ts";

/** Whoever makes or changes an endpoint: the project it lies in, and the caller. */
export interface Author {
  readonly project: { readonly id: number; readonly timezone: string };
  readonly user: number | null;
}

/** Saves a new endpoint with its first version, or says which field is wrong. */
export const createEndpoint = async (
  world: MaterialiseWorld,
  { project, user }: Author,
  body: EndpointBody,
): Promise<{ readonly endpoint: SavedEndpoint; readonly version: EndpointVersion }> => {
  const { table, clock, ids } = world;
  if (body.query === null || body.query === undefined) throw invalid("query", "A query is required.");
  const name = checkName(body.name);
  const accepted = await accept(body.query, world, project);
  const freshness = checkFreshness(body.data_freshness_seconds);
  checkSettings(body, accepted.query);
  if (body.is_materialized === true) {
    checkActive(body.is_active ?? true);
    const reason = await refusalOf(world, project, { ...accepted, bucket_overrides: body.bucket_overrides ?? null });
    if (reason !== null) throw cannotMaterialise(reason);
  }
  const at = isoMicros(clock.now());
  const id = ids.uuid();
  const version: EndpointVersion = {
    project: project.id,
    endpoint_id: id,
    version: 1,
    id: ids.uuid(),
    query: JSON.stringify(accepted.query),
    ast: accepted.ast,
    columns: accepted.columns,
    property_types: accepted.property_types,
    description: body.description ?? "",
    data_freshness_seconds: freshness,
    is_active: true,
    bucket_overrides: body.bucket_overrides ?? null,
    has_table: body.is_materialized === true,
    optional_breakdown_properties: [...new Set(body.optional_breakdown_properties ?? [])],
    created_at: at,
    updated_at: null,
    created_by: user,
    last_executed_at: null,
  };
  const endpoint: SavedEndpoint = {
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
  };
  try {
    await table.transact([
      putting(SavedEndpoints, endpoint, { kind: "absent" }),
      putting(EndpointVersions, version),
      counting(counterOf("endpointCount", project.id), 1),
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed)
      throw invalid("name", `An endpoint named "${name}" exists already. Choose another name, or update that one.`);
    throw error;
  }
  await untilListed(table, SavedEndpoints, "inOrder", endpoint);
  if (version.has_table) await enable(world, endpoint, version);
  return { endpoint, version };
};
