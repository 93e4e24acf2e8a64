import type * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import { SECOND_MS } from "../../lib/core/time.ts";
import { storedFilters, storedTiles } from "../../lib/dashboards/dashboards.ts";
import { notShared } from "../../lib/dashboards/shared-access.ts";
import type { SharedDashboard } from "../../lib/dashboards/shared-links.ts";
import { tileInput } from "../../lib/dashboards/tile-input.ts";
import type { Tile } from "../../lib/dashboards/tiles.ts";
import { storedQuery } from "../../lib/endpoints/definition.ts";
import { rememberedVersion } from "../../lib/endpoints/load.ts";
import { resultBody } from "../../lib/endpoints/result-body.ts";
import { answerRun } from "../../lib/endpoints/run.ts";
import { resolveRun } from "../../lib/endpoints/run-request.ts";
import { SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { QueryError } from "../../lib/hogql/errors.ts";
import { ApiError, invalid } from "../../lib/http/errors.ts";
import { get } from "../../lib/table/store.ts";
import type { TileResult } from "./wire.ts";

/** The rows of a tile of the shared dashboard. Throws 404 for one that it does not have, 400 for one that cannot be run, and 429. */
export const runTile = async (world: World, shared: SharedDashboard, id: string): Promise<z.input<typeof TileResult>> => {
  const tile = storedTiles(shared.dashboard).find((each) => each.id === id.toLowerCase());
  if (tile === undefined) throw notShared();
  try {
    return await tileRows(world, shared, tile);
  } catch (error) {
    throw isFaultOfTile(error) ? invalid(null, UNFIT) : error;
  }
};

/** What is wrong with a query is for its project to read: the sentence would quote it. */
const UNFIT = "This tile cannot be computed as it is saved. Run its endpoint in the project to see why.";

const isFaultOfTile = (error: unknown): boolean => error instanceof QueryError || (error instanceof ApiError && error.status === 400);

const tileRows = async (world: World, { dashboard, project }: SharedDashboard, tile: Tile): Promise<z.input<typeof TileResult>> => {
  const endpoint = await get(world.table, SavedEndpoints, { project: project.id, name: tile.endpoint }, { consistent: true });
  if (endpoint === undefined || !endpoint.is_active) throw notShared();
  const version = await rememberedVersion(world, endpoint, tile.version ?? endpoint.current_version);
  if (version === undefined) throw notShared();
  const request = await resolveRun(world, project, endpoint, runInput(dashboard, tile, storedQuery(version)), []);
  // Nobody's key ran it, so nothing is recorded.
  const { path, result } = await answerRun(world, request, async () => undefined);
  return {
    ...resultBody(request.query, result, {
      isKept: path === "kept",
      freshMs: request.version.data_freshness_seconds * SECOND_MS,
      refreshMs: 0,
      timezone: project.timezone,
    }),
    kind: request.query.query.kind,
  };
};

/** What a visitor sends is no part of it. */
const runInput = (dashboard: SharedDashboard["dashboard"], tile: Tile, query: ReturnType<typeof storedQuery>) => ({
  ...tileInput(tile, storedFilters(dashboard), query),
  version: tile.version ?? undefined,
  limit: undefined,
  offset: undefined,
  refresh: "cache" as const,
  debug: false,
});
