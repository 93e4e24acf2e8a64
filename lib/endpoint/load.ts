import { type EndpointVersion, EndpointVersions, type SavedEndpoint, SavedEndpoints } from "../entities/saved-endpoints.ts";
import { bare } from "../http/errors.ts";
import type { Table } from "../ports/table.ts";
import { get, require } from "../table/store.ts";

/** The endpoint of this name, or 404. */
export const requireEndpoint = (table: Table, project: number, name: string): Promise<SavedEndpoint> =>
  require(table, SavedEndpoints, { project, name }, { consistent: true });

/** One version of an endpoint, or undefined. */
export const findVersion = (table: Table, endpoint: SavedEndpoint, version: number): Promise<EndpointVersion | undefined> =>
  get(table, EndpointVersions, { project: endpoint.project, endpoint_id: endpoint.id, version }, { consistent: true });

/** One version of an endpoint, or the contract's 404 body for a version that does not exist. */
export const requireVersion = async (table: Table, endpoint: SavedEndpoint, version: number): Promise<EndpointVersion> => {
  const found = version < 1 ? undefined : await findVersion(table, endpoint, version);
  if (found === undefined) throw bare(404, { error: `Version ${version} not found` });
  return found;
};
