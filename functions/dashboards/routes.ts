import { group, route } from "../../lib/app/routes.ts";
import { checkScopes } from "../../lib/auth/access.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { Dashboards } from "../../lib/dashboards/dashboards.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { empty, json } from "../../lib/http/reply.ts";
import { readPeople } from "../../lib/organizations/people.ts";
import { readWindow } from "../../lib/table/paging.ts";
import { counterKey } from "../../lib/table/partitions.ts";
import { DashboardChange, NewDashboard } from "./bodies.ts";
import { findDashboard, MANY, ONE, read, TAGS, write } from "./place.ts";
import { sharing } from "./sharing-routes.ts";
import { DashboardForm, dashboardForm } from "./wire.ts";

/** The language, by which dates are checked, and which whoever only reads the routes does not need. */
const loadSave = () => import("./save.ts");

const list = route({
  method: "GET",
  path: MANY,
  tags: TAGS,
  summary: "List the dashboards of a project",
  description: "In the order in which they were made.",
  access: read,
  query: PageQuery,
  reply: json(200, paginated(DashboardForm)),
  async handle({ query, grant, world, request }) {
    const project = grant.project.id;
    const counter = counterKey("dashboardCount", project);
    const { count, items } = await readWindow(world.table, Dashboards, "key", { project }, { ...query, counter });
    const people = await readPeople(
      world.table,
      items.map(({ created_by }) => created_by),
    );
    return page(
      request,
      query,
      count,
      items.map((dashboard) => dashboardForm(dashboard, people)),
    );
  },
});

const create = route({
  method: "POST",
  path: MANY,
  tags: TAGS,
  summary: "Create a dashboard",
  access: write,
  body: NewDashboard,
  examples: {
    body: {
      name: "Shop",
      filters: { date_from: "-30d" },
      tiles: [{ endpoint: "pageviews-by-day", title: "Page views", plot: "line", width: 12, height: 2 }],
    },
  },
  reply: json(201, DashboardForm),
  async handle({ body, grant, world }) {
    const { createDashboard } = await loadSave();
    const dashboard = await createDashboard(world, { project: grant.project, user: grant.caller.user.id }, body);
    return dashboardForm(dashboard, new Map([[grant.caller.user.id, grant.caller.user]]));
  },
});

const retrieve = route({
  method: "GET",
  path: ONE,
  tags: TAGS,
  summary: "Retrieve a dashboard",
  access: read,
  reply: json(200, DashboardForm),
  find: findDashboard,
  handle: async ({ found, world }) => dashboardForm(found, await readPeople(world.table, [found.created_by])),
});

const change = route({
  method: "PATCH",
  path: ONE,
  tags: TAGS,
  summary: "Update a dashboard",
  description:
    "What is left out stays. Tiles are sent as a whole, in their order; one that keeps its id stays the same tile. With the `revision` that the change was made on, a change that somebody else made meanwhile is not overwritten but answered with 409. As the dashboard may have a public link, `tiles` and `filters` also take the scope `endpoint:read`.",
  access: write,
  body: DashboardChange,
  examples: { body: { name: "Shop", pinned: true } },
  reply: json(200, DashboardForm),
  find: findDashboard,
  async handle({ found, body, grant, world }) {
    // Who has the link would see rows that the key itself may not.
    if (body.tiles !== undefined || body.filters !== undefined) checkScopes(grant.caller.key.scopes, ["endpoint:read"]);
    const { changeDashboard } = await loadSave();
    const changed = await changeDashboard(world, grant.project, found, body);
    return dashboardForm(changed, await readPeople(world.table, [changed.created_by]));
  },
});

const destroy = route({
  method: "DELETE",
  path: ONE,
  tags: TAGS,
  summary: "Delete a dashboard",
  description: "With its public link. The endpoints of its tiles stay.",
  access: write,
  reply: empty(204),
  find: findDashboard,
  async handle({ found, world }) {
    const { deleteDashboard } = await loadSave();
    await deleteDashboard(world, found);
  },
});

export const dashboards = group({
  name: "dashboards",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, "dashboardCount", "sharedLinks"],
      lists: CALLER_PARTITIONS.lists,
      write: [...CALLER_PARTITIONS.write, "project", "dashboardCount", "sharedLinks"],
      removes: true,
    },
  },
  routes: [list, create, retrieve, change, destroy, ...sharing],
});
