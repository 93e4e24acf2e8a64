import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import { covers, type PersonalGrant } from "../../lib/auth/access.ts";
import type { PersonalCaller } from "../../lib/auth/callers.ts";
import { memberRefusal, type OrganizationMembership } from "../../lib/auth/membership.ts";
import { listPlaces, visibleProjects } from "../../lib/auth/places.ts";
import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { PersonalApiKeys } from "../../lib/keys/personal-api-keys.ts";
import { LEVEL_NAMES } from "../../lib/organizations/organizations.ts";
import type { Table } from "../../lib/ports/table.ts";
import { type Project, Projects } from "../../lib/projects/projects.ts";
import { get, getMany } from "../../lib/table/store.ts";
import { keyForm, PersonalKeyForm } from "./personal.ts";

/** Organizations that one answer names, and of how many at once the projects are read. */
const MOST_ORGANIZATIONS = 100;
const CONCURRENCY = 8;

export const CurrentKeyForm = PersonalKeyForm.extend({
  user: z.object({ id: z.int(), uuid: z.guid(), first_name: z.string(), last_name: z.string(), email: z.string() }),
  organizations: z.array(
    z.object({ id: z.guid(), name: z.string(), slug: z.string(), membership_level: z.int(), level: z.enum(LEVEL_NAMES) }),
  ),
  projects: z.array(z.object({ id: z.int(), name: z.string(), organization_id: z.guid(), api_token: z.string(), timezone: z.string() })),
  ingest_url: z.string(),
}).meta({ id: "CurrentPersonalApiKey" });

/** What the key of this very call may do, as whom, in which organizations and projects, and where the SDKs of these post. */
export const currentKey = async (
  { table, config }: Pick<World, "table" | "config">,
  { caller }: PersonalGrant,
  request: HttpRequest,
): Promise<z.input<typeof CurrentKeyForm>> => {
  const { user } = caller;
  // The caller may have been found before the moment of this use was written down.
  const [key, reached] = await Promise.all([
    get(table, PersonalApiKeys, { hash: caller.key.hash }, { consistent: true }),
    reachedPlaces(table, caller),
  ]);
  return {
    ...keyForm(key ?? caller.key, null),
    user: { id: user.id, uuid: user.uuid, first_name: user.first_name, last_name: user.last_name, email: user.email },
    organizations: reached.map(({ organization: { id, name, slug }, membership: { level } }) => ({
      id,
      name,
      slug,
      membership_level: level,
      level: LEVEL_NAMES[level],
    })),
    projects: reached.flatMap(({ projects }) =>
      projects.map(({ id, name, organization_id, api_token, timezone }) => ({ id, name, organization_id, api_token, timezone })),
    ),
    ingest_url: config.ingestUrl || request.origin,
  };
};

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

interface ReachedPlace extends OrganizationMembership {
  readonly projects: readonly Project[];
}

/** The places whose organization lets the caller in, with the projects that they see there. */
const reachedPlaces = async (table: Table, caller: PersonalCaller): Promise<readonly ReachedPlace[]> => {
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
