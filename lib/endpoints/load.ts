import { cache, perOwner } from "../core/cache.ts";
import { bare } from "../http/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { get, require } from "../table/store.ts";
import { isPossibleVersion, type RequestedVersion } from "./requested-version.ts";
import { isFresh, rememberedTable } from "./run/remembered-table.ts";
import { type EndpointVersion, EndpointVersions, type SavedEndpoint, SavedEndpoints } from "./saved-endpoints.ts";

type ReadWorld = Pick<Ports, "table" | "clock">;

/** The endpoint of this name, or 404. */
export const requireEndpoint = (table: Table, project: number, name: string): Promise<SavedEndpoint> =>
  require(table, SavedEndpoints, { project, name }, { consistent: true });

/** One version of an endpoint, or undefined. */
export const findVersion = async (
  table: Table,
  endpoint: SavedEndpoint,
  version: RequestedVersion,
): Promise<EndpointVersion | undefined> =>
  isPossibleVersion(version)
    ? get(table, EndpointVersions, { project: endpoint.project, endpoint_id: endpoint.id, version }, { consistent: true })
    : undefined;

/** One version of an endpoint, or the contract's 404 body for a version that does not exist. */
export const requireVersion = async (table: Table, endpoint: SavedEndpoint, version: RequestedVersion): Promise<EndpointVersion> => {
  const found = await findVersion(table, endpoint, version);
  if (found === undefined) throw bare(404, { error: `Version ${version} not found` });
  return found;
};

/**
 * One version of an endpoint for a run, at most half a minute old. Every update of a version moves its endpoint's time of update in
 * the same transaction, so a remembered version belongs to the very endpoint that was just read.
 */
export const rememberedVersion = (
  { table, clock }: ReadWorld,
  endpoint: SavedEndpoint,
  version: RequestedVersion,
): Promise<EndpointVersion | undefined> =>
  versions(table).of(versionName(endpoint, version), clock.now(), LIFETIME_MS, () => findVersion(table, endpoint, version));

/** Whether a version can be run, and has a table that is whole and fresh now. */
export const servesFromTable = async (world: ReadWorld, endpoint: SavedEndpoint, version: RequestedVersion): Promise<boolean> => {
  const found = await rememberedVersion(world, endpoint, version);
  if (!found?.is_active || !found.has_table) return false;
  const table = await rememberedTable(world, endpoint, found);
  return table?.status === "Completed" && isFresh(table, found, world.clock.now());
};

/** Remembers a version as this process has just written it. */
export const rememberVersion = ({ table, clock }: ReadWorld, endpoint: SavedEndpoint, version: EndpointVersion): void =>
  versions(table).set(versionName(endpoint, version.version), version, clock.now() + LIFETIME_MS);

const versionName = ({ id, updated_at }: SavedEndpoint, version: RequestedVersion): string => `${id}#${updated_at}#${version}`;

const LIFETIME_MS = 30_000;

/** Versions in bytes, nearly: one may hold a query of 300 KB. */
const CAPACITY = 16_000_000;
const OVERHEAD = 2_000;

const versions = perOwner((_: Table) =>
  cache<string, EndpointVersion>({ capacity: CAPACITY, weigh: ({ query, ast }) => OVERHEAD + 2 * query.length + ast.length }),
);
