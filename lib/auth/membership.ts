import { type ApiError, notFound, permissionDenied, standardError } from "../http/errors.ts";
import { AccessGrants } from "../organizations/access-grants.ts";
import { emailDomain, isLeaving } from "../organizations/blocked-members.ts";
import { Domains } from "../organizations/domains.ts";
import { type Membership, Memberships } from "../organizations/memberships.ts";
import { LEVELS, type Organization, Organizations } from "../organizations/organizations.ts";
import type { User } from "../organizations/users.ts";
import type { Ports } from "../ports/ports.ts";
import type { Item, Table } from "../ports/table.ts";
import { type Project, Projects } from "../projects/projects.ts";
import { decode, itemKey } from "../table/entity.ts";
import type { ReadBeside } from "../table/read-beside.ts";
import { get, getMany, page, pages } from "../table/store.ts";
import { type Caller, findProject, type PersonalCaller, readOrganization } from "./callers.ts";

/** An organization and a caller's place in it, as they are now. */
export interface OrganizationMembership {
  readonly organization: Organization;
  readonly membership: Membership;
}

/** The caller's place in an organization, read afresh: whoever leaves loses access with the next request. */
export const membershipIn = async (table: Table, { user }: PersonalCaller, organization: Organization): Promise<Membership | undefined> => {
  const membership = await get(table, Memberships, { organization_id: organization.id, user_id: user.id }, { consistent: true });
  return membership === undefined || isLeaving(organization, membership, user.email) ? undefined : membership;
};

/** The caller's place in the organization with this id; undefined where they have none or there is no such organization. */
export const placeInOrganization = async (
  table: Table,
  caller: PersonalCaller,
  id: string,
): Promise<OrganizationMembership | undefined> => {
  const organization = await readOrganization(table, id);
  const membership = organization && (await membershipIn(table, caller, organization));
  return organization && membership && { organization, membership };
};

/** The places that these memberships of a user are, in their order: none in an organization that was removed, or that is removing them. One read. */
export const placesOf = async (
  table: Table,
  { email }: Pick<User, "email">,
  memberships: readonly Membership[],
): Promise<readonly OrganizationMembership[]> => {
  const ids = memberships.map(({ organization_id }) => ({ id: organization_id }));
  const organizations = new Map((await getMany(table, Organizations, ids, { consistent: true })).map((each) => [each.id, each]));
  return memberships.flatMap((membership): readonly OrganizationMembership[] => {
    const organization = organizations.get(membership.organization_id);
    return organization?.state !== "active" || isLeaving(organization, membership, email) ? [] : [{ organization, membership }];
  });
};

/**
 * The caller's place in a project's organization; undefined where they have none, or the project is hidden from them. Throws 404
 * where the organization was removed. One call, with which `beside` is read.
 */
export const placeInProject = async (
  table: Table,
  { user }: Pick<PersonalCaller, "user">,
  project: Project,
  beside?: ReadBeside,
): Promise<OrganizationMembership | undefined> => {
  const organizationKey = itemKey(Organizations, { id: project.organization_id });
  const membershipKey = itemKey(Memberships, { organization_id: project.organization_id, user_id: user.id });
  const grantKey = itemKey(AccessGrants, { project_id: project.id, user_id: user.id });
  const keys = [organizationKey, membershipKey, grantKey];
  const stored = await (beside === undefined ? table.getMany(keys, { consistent: true }) : beside.getMany(keys));
  const organization = found(stored, Organizations, (item) => decode(Organizations, item));
  const membership = found(stored, Memberships, (item) => decode(Memberships, item));
  if (organization?.state !== "active") throw notFound("Project not found.");
  if (membership === undefined || isLeaving(organization, membership, user.email)) return undefined;
  const grant = found(stored, AccessGrants, (item) => decode(AccessGrants, item));
  const hidden = grant !== undefined && !grant.visible;
  return hidden && membership.level < LEVELS.admin ? undefined : { organization, membership };
};

const found = <T>(stored: readonly Item[], of: { readonly name: string }, read: (item: Item) => T): T | undefined => {
  const item = stored.find(({ entity }) => entity === of.name);
  return item && read(item);
};

interface MemberOptions {
  /** Whom an organization lets in though their address is outside the verified domains that it insists on. */
  readonly whileBlocked?: "owner" | undefined;
}

/**
 * The 403 where an organization keeps its member out: it is deactivated, takes no keys of members, or no addresses like theirs;
 * undefined where it lets them in.
 */
export const memberRefusal = async (
  table: Table,
  { organization, membership }: OrganizationMembership,
  user: User,
  { whileBlocked }: MemberOptions = {},
): Promise<ApiError | undefined> => {
  if (!organization.is_active) return deactivated(organization);
  const isAdmin = membership.level >= LEVELS.admin;
  if (!organization.members_can_use_personal_api_keys && !isAdmin)
    return permissionDenied(`Organization "${organization.name}" does not allow its members to use personal API keys.`);
  if (whileBlocked === "owner" && membership.level === LEVELS.owner) return undefined;
  return (await isBlocked(table, organization, user)) ? blocked() : undefined;
};

/** Throws the 403 where an organization keeps its member out. */
export const checkMember = async (table: Table, place: OrganizationMembership, user: User, options?: MemberOptions): Promise<void> => {
  const refusal = await memberRefusal(table, place, user, options);
  if (refusal !== undefined) throw refusal;
};

/** Throws 403 with the operator's reason for an organization that is deactivated. */
export const checkActive = (organization: Organization): void => {
  if (!organization.is_active) throw deactivated(organization);
};

const deactivated = ({ is_not_active_reason }: Organization): ApiError =>
  permissionDenied(is_not_active_reason || "This organization is deactivated. Ask the operator of the platform why.");

/** Whether the user's address lies outside the verified domains of an organization that insists on them. */
export const isBlocked = async (table: Table, organization: Organization, { email }: User): Promise<boolean> => {
  if (!organization.enforce_verified_domains) return false;
  const domain = await get(table, Domains, { organization_id: organization.id, domain: emailDomain(email) }, { consistent: true });
  return domain === undefined || domain.verified_at === null;
};

/** 403 for a member whose address lies outside the verified domains. */
const blocked = () =>
  standardError(
    403,
    "authentication_error",
    "verified_domain_required",
    "This organization admits only e-mail addresses of its verified domains. Ask one of its owners, or use another address.",
  );

/** The organization that `@current` stands for in place of an id. */
export const CURRENT = "@current";

/**
 * The organization that `@current` means: of those that the key is restricted to, or else of those that the caller joined, the first one
 * that they are still in.
 */
export const currentOrganization = async (table: Table, { key, user }: PersonalCaller): Promise<string | undefined> => {
  const { scoped_organizations } = key;
  const [restricted] = scoped_organizations;
  // One alone is looked at by whoever asks.
  if (scoped_organizations.length === 1) return restricted;
  if (restricted !== undefined) {
    const ids = scoped_organizations.map((organization_id) => ({ organization_id, user_id: user.id }));
    const joined = await getMany(table, Memberships, ids, { consistent: true });
    const place = ({ organization_id }: Membership): number => scoped_organizations.indexOf(organization_id);
    const ordered = joined.toSorted((a, b) => place(a) - place(b));
    const [first] = await placesOf(table, user, ordered);
    return first?.organization.id ?? restricted;
  }
  for await (const joined of pages(table, Memberships, "ofUser", { user_id: user.id }, { limit: FIRST_MEMBERSHIPS })) {
    const [first] = await placesOf(table, user, joined);
    if (first !== undefined) return first.organization.id;
  }
  return undefined;
};

/** Those of removed organizations, which a worker deletes, may stand before the first one that counts. */
const FIRST_MEMBERSHIPS = 5;

/** The project that `@current` means: of the key's own, or else of those of the current organization, the first one that the caller sees. */
export const currentProject = async (table: Table, caller: Caller): Promise<number | undefined> => {
  if (caller.kind === "secret") return caller.key.project_id;
  const { scoped_teams } = caller.key;
  const [restricted] = scoped_teams;
  if (scoped_teams.length === 1) return restricted;
  if (restricted !== undefined) {
    const ids = scoped_teams.map((id) => ({ id }));
    const known = await getMany(table, Projects, ids, { consistent: true });
    const ordered = known.toSorted((a, b) => scoped_teams.indexOf(a.id) - scoped_teams.indexOf(b.id));
    return (await firstSeen(table, caller, ordered)) ?? restricted;
  }
  const organization = await currentOrganization(table, caller);
  if (organization === undefined) return undefined;
  const { items } = await page(table, Projects, "ofOrganization", { organization_id: organization }, { limit: FIRST_PROJECTS });
  return firstSeen(table, caller, items);
};

/** The organization that a call means that names neither one nor a project: the key's own restriction, else the first membership. */
export const ownOrganization = async (parts: Pick<Ports, "table" | "clock">, caller: PersonalCaller): Promise<string | undefined> => {
  const { scoped_organizations, scoped_teams } = caller.key;
  if (scoped_organizations.length > 0 || scoped_teams.length === 0) return currentOrganization(parts.table, caller);
  const project = await currentProject(parts.table, caller);
  return project === undefined ? undefined : (await findProject(parts, project))?.organization_id;
};

/** The first project that the caller sees; where they see none, the first that is there, which refuses them. */
const firstSeen = async (table: Table, caller: PersonalCaller, projects: readonly Project[]): Promise<number | undefined> => {
  const active = projects.filter(({ state }) => state === "active");
  for (const project of active) if ((await placeInProject(table, caller, project)) !== undefined) return project.id;
  return active[0]?.id;
};

/** Removed and hidden projects may stand before the first one that is meant. */
const FIRST_PROJECTS = 25;
