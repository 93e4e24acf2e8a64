import * as z from "zod";
import type { Table } from "../ports/table.ts";
import type { BoundedList } from "../table/bounded-list.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { counterKey, within } from "../table/partitions.ts";
import { require } from "../table/store.ts";
import type { DashboardFilters, Tile } from "./tiles.ts";

/** A page of tiles. Ids of newer ones sort later, so a list by key is in the order of creation. */
export const Dashboards = entity({
  name: "dashboard",
  version: 1,
  schema: z.object({
    project: z.int(),
    id: z.guid(),
    name: z.string(),
    description: z.string(),
    pinned: z.boolean(),
    /** JSON text of `DashboardFilters`. */
    filters: z.string(),
    /** JSON text of a list of `Tile`, in their order on the page: values of variables may lie deeper than an item's attributes do. */
    tiles: z.string(),
    /** Counts changes of all the above from 1, so that nobody overwrites what they have not seen. */
    revision: z.int(),
    /** ISO 8601 with microseconds, UTC. */
    created_at: z.string(),
    updated_at: z.string(),
    /** User id; null for a user that is gone. */
    created_by: z.int().nullable(),
    /** Of its public link; null while there is none. */
    link_hash: z.string().nullable(),
    link_created_at: z.string().nullable(),
    link_created_by: z.int().nullable(),
  }),
  key: within("project", "dashboard#{id}"),
  patterns: {},
});
export type Dashboard = z.output<typeof Dashboards.schema>;

/** Dashboards of one project. */
export const MOST_DASHBOARDS = 500;

/** The dashboards of a project. */
export const dashboardsOfProject = (project: number): BoundedList => ({
  counter: counterKey("dashboardCount", project),
  most: MOST_DASHBOARDS,
  full: `A project has at most ${MOST_DASHBOARDS} dashboards. Delete one first.`,
  recount: (table) => countThrough(table, Dashboards, "key", { project }),
});

/** The dashboard of a project with this id, or 404. */
export const requireDashboard = (table: Table, project: number, id: string): Promise<Dashboard> =>
  require(table, Dashboards, { project, id: id.toLowerCase() }, { consistent: true });

/** The tiles of a dashboard, which were checked when they were stored. */
export const storedTiles = ({ tiles }: Pick<Dashboard, "tiles">): readonly Tile[] => JSON.parse(tiles) as readonly Tile[];

/** The filters of a dashboard, which were checked when they were stored. */
export const storedFilters = ({ filters }: Pick<Dashboard, "filters">): DashboardFilters => JSON.parse(filters) as DashboardFilters;
