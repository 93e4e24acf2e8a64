import * as z from "zod";
import { type Dashboard, storedFilters, storedTiles } from "../../lib/dashboards/dashboards.ts";
import { DashboardFilters, Tile } from "../../lib/dashboards/tiles.ts";
import { type People, userSummary } from "../../lib/organizations/people.ts";
import { UserSummary } from "../../lib/organizations/user-summary.ts";

/** A dashboard as sent. */
export const DashboardForm = z
  .object({
    id: z.guid(),
    name: z.string(),
    description: z.string(),
    pinned: z.boolean(),
    filters: DashboardFilters,
    tiles: z.array(Tile),
    revision: z.int(),
    is_shared: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    created_by: UserSummary.nullable(),
  })
  .meta({ id: "Dashboard" });

/** The dashboard as its project's members see it. */
export const dashboardForm = (dashboard: Dashboard, people: People): z.input<typeof DashboardForm> => ({
  ...dashboard,
  filters: storedFilters(dashboard),
  tiles: [...storedTiles(dashboard)],
  is_shared: dashboard.link_hash !== null,
  created_by: userSummary(dashboard.created_by, people),
});

/** Whether a dashboard has a public link, and since when. */
export const Sharing = z
  .object({ enabled: z.boolean(), created_at: z.string().nullable(), created_by: UserSummary.nullable() })
  .meta({ id: "DashboardSharing" });

/** A public link as whoever made it is shown it, once. */
export const MadeLink = Sharing.extend({ url: z.url() }).meta({ id: "DashboardSharingLink" });

/** How a dashboard is shared. */
export const sharingForm = (dashboard: Dashboard, people: People): z.input<typeof Sharing> => ({
  enabled: dashboard.link_hash !== null,
  created_at: dashboard.link_created_at,
  created_by: userSummary(dashboard.link_created_by, people),
});
