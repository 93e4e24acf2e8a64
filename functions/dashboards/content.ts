import type { World } from "../../lib/app/world.ts";
import type { DashboardFilters, Tile } from "../../lib/dashboards/tiles.ts";
import { SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { QueryError } from "../../lib/hogql/errors.ts";
import { invalid } from "../../lib/http/errors.ts";
import { checkFilters } from "../../lib/insight/check-filters.ts";
import { resolveRange, WEEK_START } from "../../lib/insight/dates.ts";
import type { Table } from "../../lib/ports/table.ts";
import { getMany } from "../../lib/table/store.ts";
import type { TileBody } from "./bodies.ts";

export type ContentWorld = Pick<World, "table" | "ids" | "clock">;

/** Longest JSON of a dashboard's parts, in bytes: an item of the table holds both, and a page of a list a hundred of them. */
const MOST_TILE_BYTES = 50_000;
const MOST_FILTER_BYTES = 10_000;

/** The filters as they are stored. Throws 400 for dates that are none, and for conditions that no tile could be run with. */
export const storableFilters = (
  { clock }: ContentWorld,
  { timezone }: { readonly timezone: string },
  filters: DashboardFilters,
): string => {
  const { date_from, date_to, properties } = filters;
  const at = { now: clock.now(), timezone, weekStart: WEEK_START };
  try {
    resolveRange({ date_from, date_to, explicitDate: null }, "day", at);
    checkFilters(properties ?? [], at);
  } catch (error) {
    throw error instanceof QueryError ? invalid("filters", error.message) : error;
  }
  return storableText("filters", filters, MOST_FILTER_BYTES);
};

/** The tiles as they are stored, with ids for those that have none. Throws 400 for a tile whose endpoint or version does not exist. */
export const storableTiles = async ({ table, ids }: ContentWorld, project: number, bodies: readonly TileBody[]): Promise<string> => {
  checkIds(bodies);
  await checkEndpoints(table, project, bodies);
  const tiles = bodies.map((body): Tile => ({ ...body, id: body.id ?? ids.uuid() }));
  return storableText("tiles", tiles, MOST_TILE_BYTES);
};

const checkIds = (bodies: readonly TileBody[]): void => {
  const ids = bodies.map(({ id }) => id);
  const twice = ids.findIndex((id, at) => id !== undefined && ids.indexOf(id) !== at);
  if (twice >= 0) throw invalid(`tiles__${twice}__id`, "Two tiles have this id. Leave it out of a new tile.", "unique");
};

const checkEndpoints = async (table: Table, project: number, bodies: readonly TileBody[]): Promise<void> => {
  const names = [...new Set(bodies.map(({ endpoint }) => endpoint))].map((name) => ({ project, name }));
  if (names.length === 0) return;
  const found = await getMany(table, SavedEndpoints, names, { consistent: true });
  // Versions are numbered without gaps, so the newest tells which there are.
  const newest = new Map(found.map(({ name, current_version }) => [name, current_version]));
  for (const [at, { endpoint, version }] of bodies.entries()) {
    const last = newest.get(endpoint);
    if (last === undefined)
      throw invalid(`tiles__${at}__endpoint`, `This project has no endpoint ${JSON.stringify(endpoint)}.`, "does_not_exist");
    if (version !== null && version > last)
      throw invalid(`tiles__${at}__version`, `The newest version of ${JSON.stringify(endpoint)} is ${last}.`, "does_not_exist");
  }
};

const storableText = (field: string, value: unknown, most: number): string => {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes > most) throw invalid(field, `The JSON of ${field} has ${bytes} bytes, and may have ${most}.`);
  return text;
};
