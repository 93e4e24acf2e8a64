import type { World } from "../../lib/app/world.ts";
import { endpointAhead } from "../../lib/endpoints/load.ts";
import type { SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import { notFound } from "../../lib/http/errors.ts";

/** The active endpoint of this name; `ahead` is what was read while the caller was admitted. Throws 404. */
export const endpointToRun = async (
  world: World,
  project: { readonly id: number },
  name: string,
  ahead: SavedEndpoint | null | undefined,
): Promise<SavedEndpoint> => {
  const endpoint = await endpointAhead(world.table, project.id, name, ahead);
  if (!endpoint.is_active) throw notFound();
  return endpoint;
};
