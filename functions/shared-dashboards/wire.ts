import * as z from "zod";
import { storedFilters, storedTiles } from "../../lib/dashboards/dashboards.ts";
import type { SharedDashboard } from "../../lib/dashboards/shared-links.ts";
import { DashboardFilters, Tile } from "../../lib/dashboards/tiles.ts";
import { QUERY_KINDS } from "../../lib/endpoints/definition.ts";
import { DescribedRows, ResultBody } from "../../lib/endpoints/result-body.ts";

const SharedTile = Tile.pick({ id: true, plot: true, width: true, height: true })
  .extend({ title: z.string() })
  .meta({ id: "SharedDashboardTile" });

/** A dashboard as whoever has its link sees it: nothing that names people, keys or the project. */
export const SharedForm = z
  .object({
    name: z.string(),
    description: z.string(),
    timezone: z.string(),
    filters: DashboardFilters,
    tiles: z.array(SharedTile),
  })
  .meta({ id: "SharedDashboard" });

export const sharedForm = ({ dashboard, project }: SharedDashboard): z.input<typeof SharedForm> => ({
  name: dashboard.name,
  description: dashboard.description,
  timezone: project.timezone,
  filters: storedFilters(dashboard),
  tiles: storedTiles(dashboard).map(({ title, endpoint, ...tile }) => ({ ...tile, title: title ?? endpoint })),
});

/** The rows of a tile: those of a run, without the text of the query. */
export const TileResult = ResultBody.pick({
  results: true,
  columns: true,
  types: true,
  hasMore: true,
  is_cached: true,
  last_refresh: true,
  timezone: true,
}).extend({ kind: z.enum(QUERY_KINDS) });

/** The same with what its rows are, which nobody checks row by row. */
export const DescribedTileResult = TileResult.extend({ results: DescribedRows }).meta({ id: "SharedTileResult" });

/** Headers of replies under a public link, by what they say. */
export const SHARED_HEADER_TEXTS = {
  "cache-control": "Nobody may keep a copy: the link can be revoked.",
  "referrer-policy": "The address stays where it was opened.",
  "x-robots-tag": "Search engines do not list it.",
} as const;
