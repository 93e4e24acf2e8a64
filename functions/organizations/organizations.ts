import type { World } from "../../lib/app/world.ts";
import { forgetCallers, type PersonalCaller } from "../../lib/auth/callers.ts";
import { memberRefusal, type OrganizationMembership } from "../../lib/auth/membership.ts";
import { listPlaces } from "../../lib/auth/places.ts";
import { hasActiveSubscription } from "../../lib/billing/plans.ts";
import { invalid, notFound } from "../../lib/http/errors.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import { LEVELS, Organization, Organizations, slugFor, slugMarker } from "../../lib/organizations/organizations.ts";
import { ownedOrganizations } from "../../lib/organizations/owned-organizations.ts";
import { removeOrganization } from "../../lib/organizations/removal.ts";
import { ConditionFailed, type Table } from "../../lib/ports/table.ts";
import { newProject } from "../../lib/projects/new-project.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { addToList } from "../../lib/table/bounded-list.ts";
import { untilListed } from "../../lib/table/paging.ts";
import { nextNumber } from "../../lib/table/sequence.ts";
import { get, putting, updating } from "../../lib/table/store.ts";
import { ABSENT, claiming, failedAt, markerOwner, transact } from "../../lib/table/transact.ts";
import { untilWritten } from "../../lib/table/until-written.ts";
import type { PatchedOrganization } from "./bodies.ts";
import { checkEnforcement } from "./enforcement.ts";

const SLUG_CHARACTERS = 48;
/** Characters of the id that tell apart two organizations of one name. */
const SLUG_ENDING = 6;

/** The position of the slug's marker in the transaction. */
const SLUG = 0;

const DEFAULT_PROJECT = "Default project";

type Parts = Pick<World, "table" | "clock" | "ids">;

/** Makes an organization with the user as its owner and one project, all in one transaction. Throws `ListFull` for one who owns too many. */
export const createOrganization = async (
  parts: Parts,
  user: { readonly id: number; readonly email: string },
  body: PatchedOrganization & { readonly name: string },
): Promise<OrganizationMembership> => {
  const { table, ids, clock } = parts;
  const id = ids.uuid();
  if (body.enforce_verified_domains) await checkEnforcement(table, id, user.email);
  const plain = slugFor(body.name);
  const taken = markerOwner(await table.get(slugMarker(plain), { consistent: true })) !== undefined;
  const project = await nextNumber(table, "project");
  const make = async (slug: string): Promise<OrganizationMembership> => {
    const now = new Date(clock.now()).toISOString();
    const organization = Organization.parse({ ...body, id, slug, created_at: now, updated_at: now });
    const membership = { organization_id: id, user_id: user.id, level: LEVELS.owner, joined_at: now };
    const first = newProject(parts, { id: project, organization_id: id, name: DEFAULT_PROJECT });
    await addToList(parts, ownedOrganizations(user.id), [
      claiming(slugMarker(slug), id),
      putting(Organizations, organization, ABSENT),
      putting(Memberships, membership, ABSENT),
      ...first.writes,
    ]);
    await Promise.all([
      untilListed(table, Memberships, "ofUser", membership),
      untilListed(table, Projects, "ofOrganization", first.project),
    ]);
    return { organization, membership };
  };
  const ending = `${plain.slice(0, SLUG_CHARACTERS - SLUG_ENDING - 1)}-${id.slice(-SLUG_ENDING)}`;
  if (taken) return make(ending);
  try {
    return await make(plain);
  } catch (error) {
    // Somebody has taken the slug since it was looked at.
    if (!failedAt(error, SLUG)) throw error;
    return make(ending);
  }
};

/**
 * The caller's organizations in the order in which they joined, those of the key's restriction where it has one, without those that
 * refuse their key. Throws 404 for a caller without any, and the refusal where all of them refuse.
 */
export const listOrganizations = async (table: Table, caller: PersonalCaller): Promise<readonly OrganizationMembership[]> => {
  const mine = await listPlaces(table, caller);
  const refusals = await Promise.all(mine.map((place) => memberRefusal(table, place, caller.user, { whileBlocked: "owner" })));
  const open = mine.filter((_, at) => refusals[at] === undefined);
  if (open.length === 0) throw refusals[0] ?? notFound();
  return open;
};

/** Tries of a change that insists on verified domains, while others change these. */
const TRIES = 5;

/** The position of the change in its transaction. */
const CHANGE = 0;

/** Changes an organization's settings. Who is a member stays as it is, also when verified domains are insisted on. */
export const updateOrganization = async (
  { table, clock }: Pick<World, "table" | "clock">,
  organization: Organization,
  user: { readonly email: string },
  body: PatchedOrganization,
): Promise<Organization> => {
  const key = { id: organization.id };
  const set: Partial<Organization> = { ...given(body), updated_at: new Date(clock.now()).toISOString() };
  const insists = body.enforce_verified_domains === true && !organization.enforce_verified_domains;
  // The domain that keeps whoever insists inside may not be what it was: looked at again, it may be gone.
  await untilWritten({ most: TRIES }, async () => {
    const held = insists ? [(await checkEnforcement(table, key.id, user.email)).held] : [];
    try {
      await transact(table, [updating(Organizations, key, { set }, { kind: "equals", attribute: "state", value: "active" }), ...held]);
    } catch (error) {
      throw failedAt(error, CHANGE) ? notFound() : error;
    }
  });
  const changed = await get(table, Organizations, key, { consistent: true });
  if (changed === undefined) throw notFound();
  return changed;
};

/** The fields that were sent: what the schema gives is an organization's own field, or undefined. */
const given = (body: PatchedOrganization): Partial<Organization> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** Removes an organization with all that belongs to it; one that pays for something says so first. */
export const deleteOrganization = async ({ table, clock }: Pick<World, "table" | "clock">, organization: Organization): Promise<void> => {
  if (await hasActiveSubscription(table, organization.id))
    throw invalid(null, "This organization has an active subscription. Cancel the subscription first, by POST /api/billing/deactivate/.");
  try {
    await removeOrganization(table, organization, clock.now());
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound();
    throw error;
  }
  // This process knows now; others know within half a minute.
  forgetCallers(table);
};
