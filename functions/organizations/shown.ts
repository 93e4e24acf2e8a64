import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import { headKey, parseHead } from "../../lib/lake/catalogue.ts";
import { projectOfPk } from "../../lib/lake/paths.ts";
import { AccessGrants } from "../../lib/organizations/access-grants.ts";
import { finishRemoval } from "../../lib/organizations/blocked-members.ts";
import { type Membership, Memberships } from "../../lib/organizations/memberships.ts";
import { LEVELS, type Organization } from "../../lib/organizations/organizations.ts";
import type { Table } from "../../lib/ports/table.ts";
import { type Project, Projects } from "../../lib/projects/projects.ts";
import { readWindow } from "../../lib/table/paging.ts";
import { list } from "../../lib/table/store.ts";
import { organizationForm } from "./wire.ts";

/** Organizations whose surroundings are read side by side. */
const CONCURRENCY = 8;

/** A member's organization, to be shown to them. */
export interface Mine {
  readonly organization: Organization;
  readonly membership: Membership;
}

/** The organization as its member sees it: with the projects visible to them and the number of members. */
export const shown = async (table: Table, { organization, membership }: Mine) => {
  const [projects, members] = await Promise.all([visibleProjects(table, organization, membership), memberCount(table, organization)]);
  return organizationForm(organization, { membership, projects, members, ingested: await withEvents(table, projects) });
};

/** Several of them, in their order. */
export const allShown = async (table: Table, mine: readonly Mine[]) => {
  const forms = new Map<Mine, Awaited<ReturnType<typeof shown>>>();
  await forEachConcurrent(mine, CONCURRENCY, async (each) => void forms.set(each, await shown(table, each)));
  return mine.flatMap((each) => forms.get(each) ?? []);
};

/** The projects of an organization that are there and not hidden from the member. */
export const visibleProjects = async (table: Table, { id }: Organization, { level, user_id }: Membership): Promise<readonly Project[]> => {
  const [projects, grants] = await Promise.all([
    list(table, Projects, "ofOrganization", { organization_id: id }),
    level >= LEVELS.admin ? [] : list(table, AccessGrants, "ofMember", { organization_id: id, user_id }),
  ]);
  const hidden = new Set(grants.filter(({ visible }) => !visible).map(({ project_id }) => project_id));
  return projects.filter((project) => project.state === "active" && !hidden.has(project.id));
};

const memberCount = async (table: Table, { id, removal_id }: Organization): Promise<number> => {
  if (removal_id !== null) await finishRemoval(table, id);
  return (await readWindow(table, Memberships, "key", { organization_id: id }, { limit: 0, offset: 0 })).count;
};

/** The projects that have stored events; those of the last moments may still wait to be gathered. */
const withEvents = async (table: Table, projects: readonly Project[]): Promise<ReadonlySet<number>> => {
  const heads = await table.getMany(projects.map(({ id }) => headKey(id)));
  const full = heads.filter((item) => Object.keys(parseHead(projectOfPk(item.pk), item).manifests).length > 0);
  return new Set(full.map(({ pk }) => projectOfPk(pk)));
};
