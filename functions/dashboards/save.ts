import { isoMicros } from "../../lib/core/time.ts";
import { type Dashboard, Dashboards, dashboardsOfProject, requireDashboard } from "../../lib/dashboards/dashboards.ts";
import { SharedLinks } from "../../lib/dashboards/shared-links.ts";
import { NO_FILTERS } from "../../lib/dashboards/tiles.ts";
import { conflict } from "../../lib/http/errors.ts";
import { ConditionFailed, type Write } from "../../lib/ports/table.ts";
import { addToList, takeFromList } from "../../lib/table/bounded-list.ts";
import { putting, removing, update } from "../../lib/table/store.ts";
import { ABSENT } from "../../lib/table/transact.ts";
import type { DashboardChange, NewDashboard } from "./bodies.ts";
import { type ContentWorld, storableFilters, storableTiles } from "./content.ts";

/** Whoever makes a dashboard: the project it lies in, and the caller. */
export interface Author {
  readonly project: { readonly id: number; readonly timezone: string };
  /** Null where no person does, but the operator. */
  readonly user: number | null;
}

/** Saves a new dashboard, and what else `claim` makes for its id. Throws 400 with the field that is wrong, and `ListFull`. */
export const createDashboard = async (
  world: ContentWorld,
  { project, user }: Author,
  body: NewDashboard,
  claim?: (id: string) => Write,
): Promise<Dashboard> => {
  const at = isoMicros(world.clock.now());
  const dashboard: Dashboard = {
    project: project.id,
    id: world.ids.uuid(),
    name: body.name,
    description: body.description ?? "",
    pinned: body.pinned ?? false,
    filters: storableFilters(world, project, body.filters ?? NO_FILTERS),
    tiles: await storableTiles(world, project.id, body.tiles ?? []),
    revision: 1,
    created_at: at,
    updated_at: at,
    created_by: user,
    link_hash: null,
    link_created_at: null,
    link_created_by: null,
  };
  await addToList(world, dashboardsOfProject(project.id), [
    putting(Dashboards, dashboard, ABSENT),
    ...(claim === undefined ? [] : [claim(dashboard.id)]),
  ]);
  return dashboard;
};

/** Changes a dashboard. Throws 400 with the field that is wrong, and 409 where it is past the revision that the change was made on. */
export const changeDashboard = async (
  world: ContentWorld,
  project: Author["project"],
  { id }: Dashboard,
  { revision, filters, tiles, name, description, pinned }: DashboardChange,
): Promise<Dashboard> => {
  const set = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(pinned !== undefined && { pinned }),
    ...(filters !== undefined && { filters: storableFilters(world, project, filters) }),
    ...(tiles !== undefined && { tiles: await storableTiles(world, project.id, tiles) }),
    updated_at: isoMicros(world.clock.now()),
  };
  const unseen = revision === undefined ? undefined : ({ kind: "equals", attribute: "revision", value: revision } as const);
  try {
    return await update(world.table, Dashboards, { project: project.id, id }, { set, add: { revision: 1 } }, unseen);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const { revision: now } = await requireDashboard(world.table, project.id, id);
    throw conflict(
      `The dashboard is at revision ${now} and your change was made on ${revision}. Read it again and send the change with ${now}.`,
    );
  }
};

/** Deletes a dashboard and its public link. Throws 409 where it was shared or deleted at the same moment. */
export const deleteDashboard = (parts: Pick<ContentWorld, "table" | "clock">, { project, id, link_hash }: Dashboard): Promise<void> =>
  takeFromList(parts, dashboardsOfProject(project), [
    removing(Dashboards, { project, id }, { kind: "equals", attribute: "link_hash", value: link_hash }),
    ...(link_hash === null ? [] : [removing(SharedLinks, { hash: link_hash })]),
  ]);
