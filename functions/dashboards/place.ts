import { type ProjectGrant, projectKey } from "../../lib/auth/access.ts";
import { type Dashboard, requireDashboard } from "../../lib/dashboards/dashboards.ts";
import type { Table } from "../../lib/ports/table.ts";

export const MANY = "/api/projects/{project_id}/dashboards/";
export const ONE = "/api/projects/{project_id}/dashboards/{id}/";

export const TAGS = ["Dashboards"];
export const read = projectKey("dashboard:read");
export const write = projectKey("dashboard:write");
/** A link shows the rows of endpoints to everybody, so whoever makes it has to be allowed to read them. */
export const share = projectKey(["dashboard:write", "endpoint:read"]);

interface Named {
  readonly params: { readonly id: string };
  readonly grant: ProjectGrant;
  readonly world: { readonly table: Table };
}

/** The dashboard that a path names. Throws 404. */
export const findDashboard = ({ params, grant, world }: Named): Promise<Dashboard> =>
  requireDashboard(world.table, grant.project.id, params.id);
