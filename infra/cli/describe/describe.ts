import { type CustomerState, readCustomerState } from "../../../lib/billing/customer.ts";
import { lastGivenList } from "../../../lib/billing/price-lists.ts";
import { SandboxRateCards } from "../../../lib/billing/sandbox-rate-cards.ts";
import { PersonalApiKeys } from "../../../lib/keys/personal-api-keys.ts";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import { Domains } from "../../../lib/organizations/domains.ts";
import { type Membership, Memberships } from "../../../lib/organizations/memberships.ts";
import { OauthApplications } from "../../../lib/organizations/oauth-applications.ts";
import { LEVEL_NAMES, type Organization, Organizations } from "../../../lib/organizations/organizations.ts";
import { Roles } from "../../../lib/organizations/roles.ts";
import { type User, Users } from "../../../lib/organizations/users.ts";
import type { Ports } from "../../../lib/ports/ports.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { type Project, Projects } from "../../../lib/projects/projects.ts";
import { getMany, list } from "../../../lib/table/store.ts";
import type { Document, MemberEntry, OrganizationEntry } from "../apply/document.ts";
import { describeCampaigns } from "./describe-campaigns.ts";
import { describeProject } from "./describe-project.ts";
import { type Handles, readHandles } from "./known-handles.ts";

/** What is described: an organization with some of its projects, or all that there are. */
export interface Wanted {
  readonly organization: string | undefined;
  readonly project: number | undefined;
}

const FRESH = { consistent: true } as const;

/** The document that `apply` makes the same configuration of elsewhere: no ids, no values of keys, no tokens, and nothing of anybody's data. */
export const describeDeployment = async (parts: Pick<Ports, "table" | "clock">, wanted: Wanted): Promise<Document> => {
  const { table } = parts;
  const handles = await readHandles(table);
  const all = (await list(table, Organizations, "all", {})).filter(
    ({ id, state }) => state === "active" && (wanted.organization === undefined || id === wanted.organization),
  );
  const organizations: OrganizationEntry[] = [];
  const named = new Map(all.map(({ id, slug }) => [id, handles.last("organization", id) ?? slug]));
  for (const organization of all)
    organizations.push(await describeOrganization(table, handles, organization, { named, only: wanted.project }));
  if (wanted.organization !== undefined) return { organizations };
  const coupon_campaigns = await describeCampaigns(table);
  const cards = await list(table, SandboxRateCards, "key", {}, FRESH);
  const billing_catalogue = await lastGivenList(parts);
  return {
    organizations,
    ...(coupon_campaigns.length > 0 && { coupon_campaigns }),
    ...(cards.length > 0 && { sandbox_rate_cards: cards.map((card) => ({ ...card })) }),
    ...(billing_catalogue !== undefined && { billing_catalogue }),
  };
};

const describeOrganization = async (
  table: Table,
  handles: Handles,
  organization: Organization,
  { named, only }: { readonly named: ReadonlyMap<string, string>; readonly only: number | undefined },
): Promise<OrganizationEntry> => {
  const { id } = organization;
  const place = { organization_id: id };
  const memberships = await list(table, Memberships, "key", place, FRESH);
  const users = await readUsers(table, memberships);
  const emails = new Map([...users].map(([number, { email }]) => [number, email]));
  const roles = (await list(table, Roles, "key", place, FRESH)).map((role) => ({
    ...role,
    key: handles.last("role", role.id) ?? role.name,
  }));
  const projects = (await list(table, Projects, "ofOrganization", place)).filter(
    (project) => project.state === "active" && (only === undefined || project.id === only),
  );
  const keyOf = (project: Project): string => handles.last("project", String(project.id)) ?? `project-${project.id}`;
  const keys = new Map(projects.map((project) => [project.id, keyOf(project)]));
  const domains = await list(table, Domains, "key", place, FRESH);
  const applications = await list(table, OauthApplications, "key", place, FRESH);
  const { account } = await readCustomerState(table, id);
  const described: OrganizationEntry["projects"] = [];
  const known = { emails, roles: new Map(roles.map((role) => [role.id, role.key])) };
  for (const project of projects) described.push(await describeProject(table, handles, { project, key: keyOf(project), ...known }));
  const keyPlace = { organization: handles.last("organization", id), teams: keys, organizations: named };
  const members: MemberEntry[] = [];
  for (const { user_id, level } of memberships) {
    const user = users.get(user_id);
    if (user !== undefined) members.push({ ...(await describeMember(table, handles, user, keyPlace)), level: LEVEL_NAMES[level] });
  }
  return {
    key: named.get(id) ?? organization.slug,
    name: organization.name,
    settings: describeSettings(organization, account),
    domains: domains.map(({ domain, verified_at }) => ({ domain, verified: verified_at !== null })),
    members,
    roles: roles.map(({ key, name, members: numbers }) => ({ key, name, members: numbers.flatMap((number) => emails.get(number) ?? []) })),
    projects: described,
    oauth_applications: applications.map(({ id: application, name, redirect_uris_list, is_verified }) => ({
      key: handles.last("oauth-application", application) ?? name,
      name,
      redirect_uris: redirect_uris_list,
      is_verified,
    })),
    access: await describeAccess(table, projects, { keys, emails }),
  };
};

const readUsers = async (table: Table, memberships: readonly Membership[]): Promise<ReadonlyMap<number, User>> => {
  const users = await getMany(
    table,
    Users,
    memberships.map(({ user_id }) => ({ id: user_id })),
  );
  return new Map(users.map((user) => [user.id, user]));
};

const describeSettings = (organization: Organization, account: CustomerState["account"]): OrganizationEntry["settings"] => ({
  owner_only_billing: organization.owner_only_billing,
  member_billing_usage_spend_read_access: organization.member_billing_usage_spend_read_access,
  is_ai_data_processing_approved: organization.is_ai_data_processing_approved,
  desktop_access: organization.desktop_access,
  customer_analytics: organization.customer_analytics,
  never_drop_data: account.never_drop_data,
  retain_data: account.retain_data,
});

/**
 * Where keys are described: the organization as documents call it, and the names of the projects and organizations that they may be
 * restricted to.
 */
interface KeyPlace {
  readonly organization: string | undefined;
  readonly teams: ReadonlyMap<number, string>;
  readonly organizations: ReadonlyMap<string, string>;
}

/**
 * Of a person's keys those that a document made in this organization, since people make their own themselves. One that is restricted to
 * what is not described is left out: without its restriction it would open everything.
 */
const describeMember = async (
  table: Table,
  handles: Handles,
  { id, email, first_name, last_name, role_at_organization, is_email_verified }: User,
  { organization, teams, organizations }: KeyPlace,
): Promise<MemberEntry> => {
  const made = (await list(table, PersonalApiKeys, "ofUser", { user_id: id })).filter(
    ({ hash }) => organization !== undefined && handles.first("personal-key", hash) === organization,
  );
  const personal_api_keys = made.flatMap(({ label, scopes, scoped_teams, scoped_organizations }) => {
    const restrictions = {
      ...(scoped_teams.length > 0 && { scoped_teams: scoped_teams.flatMap((team) => teams.get(team) ?? []) }),
      ...(scoped_organizations.length > 0 && {
        scoped_organizations: scoped_organizations.flatMap((each) => organizations.get(each) ?? []),
      }),
    };
    return Object.values(restrictions).some(({ length }) => length === 0) ? [] : [{ label, scopes, ...restrictions }];
  });
  return { email, first_name, last_name, role_at_organization, is_email_verified, personal_api_keys };
};

const describeAccess = async (
  table: Table,
  projects: readonly Project[],
  { keys, emails }: { readonly keys: ReadonlyMap<number, string>; readonly emails: ReadonlyMap<number, string> },
): Promise<NonNullable<OrganizationEntry["access"]>> => {
  const found: NonNullable<OrganizationEntry["access"]> = [];
  for (const { id } of projects)
    for (const { user_id, visible, export: level } of await list(table, AccessGrants, "key", { project_id: id }, FRESH)) {
      const [project, member] = [keys.get(id), emails.get(user_id)];
      if (project !== undefined && member !== undefined) found.push({ project, member, visible, export: level });
    }
  return found;
};
