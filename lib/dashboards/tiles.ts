import * as z from "zod";
import { DashboardFilter } from "../insight/query.ts";

/** How the rows of a tile are drawn; `auto` lets the page choose by what they are. */
export const PLOTS = ["auto", "table", "line", "bar", "area", "number", "heat_map"] as const;

/** Columns of a dashboard's grid, and the heights of its tiles. */
export const COLUMNS = 12;
export const HEIGHTS = 3;

/** A saved endpoint's rows on a dashboard. */
export const Tile = z
  .object({
    id: z.guid(),
    /** Name of the endpoint. */
    endpoint: z.string(),
    /** Null for the newest. */
    version: z.int().nullable(),
    title: z.string().nullable(),
    plot: z.enum(PLOTS),
    width: z.int(),
    height: z.int(),
    variables: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "DashboardTile" });
export type Tile = z.output<typeof Tile>;

/** What a dashboard lays over all of its tiles: the part of a run's override that it keeps. */
export const DashboardFilters = DashboardFilter.pick({ date_from: true, date_to: true, properties: true }).meta({
  id: "DashboardFilters",
  description: "Dates and conditions that a dashboard lays over its tiles.",
});
export type DashboardFilters = z.output<typeof DashboardFilters>;

/** Filters that change nothing. */
export const NO_FILTERS: DashboardFilters = Object.freeze({ date_from: null, date_to: null, properties: null });
