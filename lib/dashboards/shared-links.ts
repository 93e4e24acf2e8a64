import * as z from "zod";
import { readOrganization } from "../auth/callers.ts";
import { keyHash } from "../keys/credential.ts";
import type { Ids } from "../ports/system.ts";
import type { Table } from "../ports/table.ts";
import { type Project, Projects } from "../projects/projects.ts";
import { entity } from "../table/entity.ts";
import { PARTITIONS, within } from "../table/partitions.ts";
import { get } from "../table/store.ts";
import { type Dashboard, Dashboards } from "./dashboards.ts";

/** What a public link's token leads to. Of the token only its digest is kept. */
export const SharedLinks = entity({
  name: "shared_link",
  version: 1,
  schema: z.object({ hash: z.string(), project: z.int(), dashboard: z.guid() }),
  key: within("sharedLinks", PARTITIONS.sharedLinks.items.link),
  patterns: {},
});

const TOKEN_BYTES = 32;

/** A new token, which is shown once, and what is kept of it. */
export const newToken = (ids: Pick<Ids, "secret">): { readonly token: string; readonly hash: string } => {
  const token = Buffer.from(ids.secret(TOKEN_BYTES)).toString("base64url");
  return { token, hash: keyHash(token) };
};

/** A dashboard that a public link opens, with its project. */
export interface SharedDashboard {
  readonly dashboard: Dashboard;
  readonly project: Project;
}

/**
 * The dashboard that a token opens now; undefined where no link has it, where its dashboard, project or organization is gone, and
 * while the organization lets nobody share.
 */
export const findSharedDashboard = async (table: Table, token: string): Promise<SharedDashboard | undefined> => {
  const hash = keyHash(token);
  const link = await get(table, SharedLinks, { hash }, { consistent: true });
  if (link === undefined) return undefined;
  const [dashboard, project] = await Promise.all([
    get(table, Dashboards, { project: link.project, id: link.dashboard }, { consistent: true }),
    get(table, Projects, { id: link.project }, { consistent: true }),
  ]);
  if (dashboard?.link_hash !== hash || project?.state !== "active") return undefined;
  const organization = await readOrganization(table, project.organization_id);
  return organization?.allow_publicly_shared_resources === true ? { dashboard, project } : undefined;
};
