import type { NewDashboard, TileBody } from "../../../functions/dashboards/bodies.ts";
import type { ContentWorld } from "../../../functions/dashboards/content.ts";
import { changeDashboard, createDashboard } from "../../../functions/dashboards/save.ts";
import { type Dashboard, Dashboards, storedFilters, storedTiles } from "../../../lib/dashboards/dashboards.ts";
import { get } from "../../../lib/table/store.ts";
import type { DashboardEntry } from "./document.ts";
import { handleKey } from "./handles.ts";
import { claim, readHolder } from "./once.ts";
import { differing } from "./same.ts";

/** Where dashboards are made: a project, its key and that of its organization. */
export interface DashboardPlace {
  readonly organization: string;
  readonly key: string;
  readonly project: { readonly id: number; readonly timezone: string };
}

/** The dashboard behind an entry's key, made or brought up to date. Throws as its route does. */
export const ensureDashboard = async (
  world: ContentWorld,
  { organization, key: projectKey, project }: DashboardPlace,
  { key, name, ...content }: DashboardEntry,
): Promise<void> => {
  const { table } = world;
  const stated = { ...content, ...(name !== undefined && { name }) };
  const marker = handleKey("dashboard", organization, projectKey, key);
  const holder = await readHolder(table, marker);
  const known = holder === undefined ? undefined : await get(table, Dashboards, { project: project.id, id: holder }, { consistent: true });
  if (known === undefined) {
    // The one that had the key was deleted, or there was none.
    await createDashboard(world, { project, user: null }, { name: key, ...stated }, (id) => claim(marker, id, holder));
    return;
  }
  const body = differing<NewDashboard>(dashboardContent(known), {
    ...stated,
    ...(stated.tiles && { tiles: withIds(stated.tiles, known) }),
  });
  if (body) await changeDashboard(world, project, known, body);
};

/** Tiles that are stated without ids are those in their places, where there are any. */
const withIds = (stated: readonly TileBody[], known: Dashboard): TileBody[] => {
  const ids = storedTiles(known).map(({ id }) => id);
  const taken = new Set(stated.map(({ id }) => id));
  return stated.map((tile, at) => {
    const id = tile.id ?? ids[at];
    return id === undefined || (tile.id === undefined && taken.has(id)) ? tile : { ...tile, id };
  });
};

/** What a dashboard shows, as an entry states it. */
export const dashboardContent = (dashboard: Dashboard): NewDashboard => ({
  name: dashboard.name,
  description: dashboard.description,
  pinned: dashboard.pinned,
  filters: storedFilters(dashboard),
  tiles: [...storedTiles(dashboard)],
});
