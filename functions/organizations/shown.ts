import type { OrganizationMembership } from "../../lib/auth/membership.ts";
import { visibleProjects } from "../../lib/auth/places.ts";
import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import { hasCommit } from "../../lib/lake/backlog.ts";
import { headKey, parseHead } from "../../lib/lake/head.ts";
import { projectOfPk } from "../../lib/lake/paths.ts";
import { finishRemoval } from "../../lib/organizations/blocked-members.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import type { Organization } from "../../lib/organizations/organizations.ts";
import type { Table } from "../../lib/ports/table.ts";
import type { Project } from "../../lib/projects/projects.ts";
import { readWindow } from "../../lib/table/paging.ts";
import { organizationForm } from "./wire.ts";

/** Organizations whose surroundings are read side by side. */
const CONCURRENCY = 8;
/** Projects of one that are looked at side by side. */
const LOOKED_AT_ONCE = 32;

/** The organization as its member sees it: with the projects visible to them and the number of members. */
export const shown = async (table: Table, place: OrganizationMembership) => {
  const { organization, membership } = place;
  const [projects, members] = await Promise.all([visibleProjects(table, place), memberCount(table, organization)]);
  return organizationForm(organization, { membership, projects, members, ingested: await withEvents(table, projects) });
};

/** Several of them, in their order. */
export const allShown = async (table: Table, mine: readonly OrganizationMembership[]) => {
  const forms = new Map<OrganizationMembership, Awaited<ReturnType<typeof shown>>>();
  await forEachConcurrent(mine, CONCURRENCY, async (each) => void forms.set(each, await shown(table, each)));
  return mine.flatMap((each) => forms.get(each) ?? []);
};

const memberCount = async (table: Table, { id, removal_id }: Organization): Promise<number> => {
  if (removal_id !== null) await finishRemoval(table, id);
  return (await readWindow(table, Memberships, "key", { organization_id: id }, { limit: 0, offset: 0 })).count;
};

/** The projects that have stored events. The first ones of a project wait for up to an hour to be gathered, and queries see them meanwhile. */
const withEvents = async (table: Table, projects: readonly Project[]): Promise<ReadonlySet<number>> => {
  const heads = await table.getMany(projects.map(({ id }) => headKey(id)));
  const full = heads.filter((item) => Object.keys(parseHead(projectOfPk(item.pk), item).manifests).length > 0);
  const found = new Set(full.map(({ pk }) => projectOfPk(pk)));
  const others = projects.filter(({ id }) => !found.has(id));
  await forEachConcurrent(others, LOOKED_AT_ONCE, async ({ id }) => {
    if (await hasCommit(table, id)) found.add(id);
  });
  return found;
};
