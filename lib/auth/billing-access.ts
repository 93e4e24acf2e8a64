import type { Access, AccessRule, Call } from "../http/access.ts";
import { permissionDenied } from "../http/errors.ts";
import type { Scope } from "../keys/scopes.ts";
import type { Membership } from "../organizations/memberships.ts";
import { LEVELS, type Organization } from "../organizations/organizations.ts";
import type { Ports } from "../ports/ports.ts";
import type { Project } from "../projects/projects.ts";
import { checkScopes, covers, deniedOrganization, deniedProject, keyedPerson, scopesFor } from "./access.ts";
import { findProject, type PersonalCaller, readOrganization } from "./callers.ts";
import { checkMember, ownOrganization, placeInOrganization, placeInProject } from "./membership.ts";

/**
 * What of an organization's billing a member may do: everything, read usage and spend of the projects they see, or nothing
 * but what every member may.
 */
export type BillingAccess = "full" | "usage" | "none";

/** A person acting on the billing of an organization of theirs. */
export interface BillingGrant {
  readonly organization: Organization;
  readonly caller: PersonalCaller;
  readonly membership: Membership;
  readonly access: BillingAccess;
}

/** The rights of a member by the organization's two switches. The one for members is never asked about admins and owners. */
export const billingAccess = (organization: Organization, { level }: Pick<Membership, "level">): BillingAccess => {
  if (level === LEVELS.owner) return "full";
  if (organization.owner_only_billing) return "none";
  if (level === LEVELS.admin) return "full";
  return organization.member_billing_usage_spend_read_access ? "usage" : "none";
};

/** Who may call: `full` access, at least `usage`, or every `member`. */
type BillingGate = NonNullable<AccessRule["billing"]>;

/** A personal key with the scope, of a member whose access passes the gate; the organization is found from `team_id` or the key. */
export const billingKey = (scope: Scope, gate: BillingGate): Access<Ports, BillingGrant> =>
  keyedPerson({ level: "user", scopes: [scope], billing: gate }, async (caller, call, world) => {
    const where = await requestedPlace(caller, call, world);
    checkScopes(caller.key.scopes, scopesFor(call, [scope]));
    const grant = await grantIn(world, caller, where);
    checkGate(grant, gate);
    return { grant };
  });

const checkGate = ({ access }: BillingGrant, gate: BillingGate): void => {
  if (gate === "full" && access !== "full") throw permissionDenied(NO_BILLING);
  if (gate === "usage" && access === "none") throw permissionDenied("You do not have access to the usage and spend of this organization.");
};

const NO_BILLING = "You do not have access to the billing of this organization.";

/** Full access to the billing of an organization that the body names; undefined where there is no such organization. */
export const fullAccessTo = async (
  world: Pick<Ports, "table">,
  caller: PersonalCaller,
  organization: string,
): Promise<BillingGrant | undefined> => {
  const found = await readOrganization(world.table, organization);
  if (found === undefined) return undefined;
  const { key } = caller;
  if (!covers(key.scoped_organizations, found.id)) throw deniedOrganization(found.id);
  const grant = await grantIn(world, caller, { organization: found.id, project: undefined });
  checkGate(grant, "full");
  return grant;
};

/** Where a call acts: the organization, and the project where `team_id` names one. */
interface Where {
  readonly organization: string;
  readonly project: Project | undefined;
}

const INTEGER = /^\d{1,15}$/;

const requestedPlace = async (caller: PersonalCaller, call: Call, world: Ports): Promise<Where> => {
  const { key } = caller;
  const requested = call.query.team_id;
  if (requested === undefined || requested === "") {
    const organization = await ownOrganization(world, caller);
    if (organization === undefined) throw permissionDenied("You are in no organization whose billing could be shown.");
    return { organization, project: undefined };
  }
  const project = INTEGER.test(requested) ? await findProject(world, Number(requested)) : undefined;
  if (project === undefined) throw permissionDenied(`There is no project ${requested.slice(0, MAX_SHOWN)} that you have access to.`);
  if (!covers(key.scoped_teams, project.id)) throw deniedProject(project.id);
  if (!covers(key.scoped_organizations, project.organization_id)) throw deniedOrganization(project.organization_id);
  return { organization: project.organization_id, project };
};

/** Characters of a wrong id that an answer repeats. */
const MAX_SHOWN = 40;

const grantIn = async ({ table }: Pick<Ports, "table">, caller: PersonalCaller, where: Where): Promise<BillingGrant> => {
  const place = await (where.project === undefined
    ? placeInOrganization(table, caller, where.organization)
    : placeInProject(table, caller, where.project));
  if (place === undefined) throw permissionDenied(NO_BILLING);
  await checkMember(table, place, caller.user);
  return { ...place, caller, access: billingAccess(place.organization, place.membership) };
};
