import type { EndpointBody } from "../../../functions/endpoints/bodies.ts";
import { createEndpoint, type SaveWorld } from "../../../functions/endpoints/create.ts";
import { updateEndpoint } from "../../../functions/endpoints/update.ts";
import { canonicalJson, canonicalJsonWithoutNulls } from "../../../lib/core/canonical-json.ts";
import { accept } from "../../../lib/endpoints/accept.ts";
import { storedQuery } from "../../../lib/endpoints/definition.ts";
import { requireVersion } from "../../../lib/endpoints/load.ts";
import { type EndpointVersion, type SavedEndpoint, SavedEndpoints } from "../../../lib/endpoints/saved-endpoints.ts";
import { get } from "../../../lib/table/store.ts";
import type { EndpointEntry } from "./document.ts";

type Place = { readonly id: number; readonly timezone: string };

/** The saved query of an entry's name, made or brought up to date: another query makes a new version. Throws as its route does. */
export const ensureEndpoint = async (world: SaveWorld, project: Place, entry: EndpointEntry): Promise<void> => {
  const { name, ...stated } = entry;
  const author = { project, user: null };
  const endpoint = await get(world.table, SavedEndpoints, { project: project.id, name }, { consistent: true });
  if (endpoint === undefined) {
    await createEndpoint(world, author, { name, ...stated });
    return;
  }
  const version = await requireVersion(world.table, endpoint, endpoint.current_version);
  const body = await differing(world, project, stated, { endpoint, version });
  if (Object.keys(body).length > 0) await updateEndpoint(world, author, endpoint, body, undefined);
};

/** What of an entry is not so already. */
const differing = async (
  world: SaveWorld,
  project: Place,
  { query, ...settings }: Omit<EndpointEntry, "name">,
  stored: { readonly endpoint: SavedEndpoint; readonly version: EndpointVersion },
): Promise<EndpointBody> => {
  const known: Readonly<Record<string, unknown>> = endpointSettings(stored);
  const changed = Object.entries(settings).filter(
    ([name, value]) => value !== undefined && value !== null && canonicalJson(value) !== canonicalJson(known[name] ?? null),
  );
  const accepted = query === undefined ? undefined : (await accept(query, world, project)).query;
  const isNew = accepted !== undefined && canonicalJsonWithoutNulls(accepted) !== canonicalJsonWithoutNulls(storedQuery(stored.version));
  return { ...Object.fromEntries(changed), ...(isNew && { query }) };
};

/** The settings of an endpoint's current version, as an entry states them. */
export const endpointSettings = ({ endpoint, version }: { readonly endpoint: SavedEndpoint; readonly version: EndpointVersion }) => ({
  description: version.description,
  data_freshness_seconds: version.data_freshness_seconds,
  engine: version.engine,
  is_active: endpoint.is_active,
  is_materialized: version.has_table,
  bucket_overrides: version.bucket_overrides,
  optional_breakdown_properties: version.optional_breakdown_properties,
  tags: endpoint.tags,
});
