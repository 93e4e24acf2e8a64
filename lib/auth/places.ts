import { AccessGrants } from "../organizations/access-grants.ts";
import { Memberships } from "../organizations/memberships.ts";
import { LEVELS } from "../organizations/organizations.ts";
import type { Table } from "../ports/table.ts";
import { type Project, Projects } from "../projects/projects.ts";
import { list } from "../table/store.ts";
import { covers } from "./access.ts";
import type { PersonalCaller } from "./callers.ts";
import { type OrganizationMembership, placesOf } from "./membership.ts";

export interface PlacesOptions {
  /** Organizations besides which none is looked at. */
  readonly among?: ReadonlySet<string> | undefined;
  /** Organizations that are looked at, the first that the caller joined. */
  readonly most?: number;
}

/** The caller's places in the organizations that their key covers, in the order in which they joined. Two reads. */
export const listPlaces = async (
  table: Table,
  { user, key }: PersonalCaller,
  { among, most }: PlacesOptions = {},
): Promise<readonly OrganizationMembership[]> => {
  const joined = await list(table, Memberships, "ofUser", { user_id: user.id });
  const covered = joined
    .filter(({ organization_id }) => covers(key.scoped_organizations, organization_id) && (among?.has(organization_id) ?? true))
    .slice(0, most);
  return placesOf(table, user, covered);
};

/** The projects of an organization that are there and not hidden from its member, as `placeInProject` decides it. One read, two for members. */
export const visibleProjects = async (
  table: Table,
  { organization: { id }, membership: { level, user_id } }: OrganizationMembership,
): Promise<readonly Project[]> => {
  const [projects, grants] = await Promise.all([
    list(table, Projects, "ofOrganization", { organization_id: id }),
    level >= LEVELS.admin ? [] : list(table, AccessGrants, "ofMember", { organization_id: id, user_id }),
  ]);
  const hidden = new Set(grants.filter(({ visible }) => !visible).map(({ project_id }) => project_id));
  return projects.filter((project) => project.state === "active" && !hidden.has(project.id));
};
