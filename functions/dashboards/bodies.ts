import * as z from "zod";
import { COLUMNS, DashboardFilters, HEIGHTS, PLOTS } from "../../lib/dashboards/tiles.ts";
import { boolean, integer, text, uuid } from "../../lib/http/fields.ts";

const NAME_CHARACTERS = 400;
const DESCRIPTION_CHARACTERS = 1_000;
const ENDPOINT_CHARACTERS = 128;

/** Tiles of one dashboard. */
export const MOST_TILES = 24;

/** A tile as clients send it: one that keeps its id stays the same tile. */
const TileBody = z
  .object({
    id: uuid().optional(),
    endpoint: text({ max: ENDPOINT_CHARACTERS }),
    version: integer({ min: 1 }).nullable().default(null),
    title: text({ max: NAME_CHARACTERS }).nullable().default(null),
    plot: z.enum(PLOTS).default("auto"),
    width: integer({ min: 1, max: COLUMNS }).default(COLUMNS / 2),
    height: integer({ min: 1, max: HEIGHTS }).default(1),
    variables: z.record(z.string(), z.unknown()).default({}),
  })
  .meta({ id: "DashboardTileWrite" });
export type TileBody = z.output<typeof TileBody>;

const CONTENT = {
  description: text({ max: DESCRIPTION_CHARACTERS, blank: true }).optional(),
  pinned: boolean().optional(),
  filters: DashboardFilters.optional(),
  tiles: z.array(TileBody).max(MOST_TILES).optional(),
};

/** A new dashboard. */
export const NewDashboard = z.object({ name: text({ max: NAME_CHARACTERS }), ...CONTENT }).meta({ id: "DashboardWrite" });
export type NewDashboard = z.output<typeof NewDashboard>;

/** A change: what is left out stays, tiles are sent as a whole. */
export const DashboardChange = z
  .object({ name: text({ max: NAME_CHARACTERS }).optional(), ...CONTENT, revision: integer({ min: 1 }).optional() })
  .meta({ id: "DashboardChange" });
export type DashboardChange = z.output<typeof DashboardChange>;
