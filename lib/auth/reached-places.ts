import { forEachConcurrent } from "../core/concurrency.ts";
import type { Table } from "../ports/table.ts";
import { type Project, Projects } from "../projects/projects.ts";
import { getMany } from "../table/store.ts";
import { covers } from "./access.ts";
import type { PersonalCaller } from "./callers.ts";
import { memberRefusal, type OrganizationMembership } from "./membership.ts";
import { listPlaces, visibleProjects } from "./places.ts";

/** Organizations that are looked at, and of how many at once the projects are read. */
const MOST_ORGANIZATIONS = 100;
const CONCURRENCY = 8;

/** An organization that a key reaches. */
export interface ReachedPlace extends OrganizationMembership {
  readonly projects: readonly Project[];
}

/** The organizations of the projects that a key is restricted to; undefined for a key of all projects. */
const holdingOrganizations = async (table: Table, { key }: PersonalCaller): Promise<ReadonlySet<string> | undefined> => {
  if (key.scoped_teams.length === 0) return undefined;
  const projects = await getMany(
    table,
    Projects,
    key.scoped_teams.map((id) => ({ id })),
  );
  return new Set(projects.map(({ organization_id }) => organization_id));
};

/** The places whose organization lets the caller in, with the projects that they see there and that their key covers. */
export const reachedPlaces = async (table: Table, caller: PersonalCaller): Promise<readonly ReachedPlace[]> => {
  const { user, key } = caller;
  const places = await listPlaces(table, caller, { among: await holdingOrganizations(table, caller), most: MOST_ORGANIZATIONS });
  const reached = new Map<OrganizationMembership, ReachedPlace>();
  await forEachConcurrent(places, CONCURRENCY, async (place) => {
    const [refusal, visible] = await Promise.all([memberRefusal(table, place, user), visibleProjects(table, place)]);
    if (refusal === undefined) reached.set(place, { ...place, projects: visible.filter(({ id }) => covers(key.scoped_teams, id)) });
    // An owner whom the verified domains keep out may still read the organization, and set that right.
    else if ((await memberRefusal(table, place, user, { whileBlocked: "owner" })) === undefined)
      reached.set(place, { ...place, projects: [] });
  });
  return places.flatMap((place) => reached.get(place) ?? []);
};
