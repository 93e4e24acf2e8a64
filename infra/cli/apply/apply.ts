import type { PlannedPriceList } from "../../../lib/billing/price-lists.ts";
import type { Organization } from "../../../lib/organizations/organizations.ts";
import type { User } from "../../../lib/organizations/users.ts";
import { ensureAccount } from "./accounts.ts";
import { checkAgainst } from "./check.ts";
import { type Document, type MemberEntry, type OrganizationEntry, type ProjectEntry, parseDocument, type RoleEntry } from "./document.ts";
import { refuseDuplicates } from "./duplicates.ts";
import { handleKey } from "./handles.ts";
import { type AppliedKey, ensurePersonalKey, ensureSecretKey } from "./keys.ts";
import { ensureCampaign, ensureRateCard } from "./money.ts";
import { readHolder } from "./once.ts";
import { ensureAccess, ensureDomain, ensureOauthApplication, ensureOrganization, found } from "./organizations.ts";
import type { Parts } from "./parts.ts";
import { ensureMembership, ensureUser, findUser } from "./people.ts";
import { ensurePriceList, planPrices } from "./price-list.ts";
import {
  type AppliedProjectItem,
  ensureCustomProperties,
  ensureIntegration,
  ensureProject,
  ensureQuota,
  ensureRelationships,
} from "./projects.ts";
import { ensureRole } from "./roles.ts";

/** The document with the ids of everything in it, the values of the keys that this call made, and the version that it made of the price list. */
export interface AppliedTree extends Omit<Document, "organizations"> {
  readonly organizations: readonly AppliedOrganization[];
  readonly price_list?: Pick<PlannedPriceList["version"], "number" | "effective_from">;
}

export interface AppliedOrganization extends Omit<OrganizationEntry, "members" | "roles" | "projects" | "oauth_applications"> {
  readonly id: string;
  readonly members: readonly AppliedMember[];
  readonly roles: readonly (RoleEntry & { readonly id: string })[];
  readonly projects: readonly AppliedProject[];
  readonly oauth_applications: readonly (NonNullable<OrganizationEntry["oauth_applications"]>[number] & {
    readonly id: string;
    readonly client_id: string;
  })[];
}

export interface AppliedMember extends Omit<MemberEntry, "personal_api_keys"> {
  readonly user_id: number;
  readonly uuid: string;
  readonly distinct_id: string;
  readonly personal_api_keys: readonly (NonNullable<MemberEntry["personal_api_keys"]>[number] & AppliedKey)[];
}

export interface AppliedProject extends Omit<ProjectEntry, "secret_api_keys" | "account_custom_properties" | "accounts" | "integrations"> {
  readonly id: number;
  readonly token: string;
  /** Null for a project that already existed. */
  readonly secret_token: string | null;
  readonly secret_api_keys: readonly (NonNullable<ProjectEntry["secret_api_keys"]>[number] & AppliedKey)[];
  /** The id of each relationship that is named, by its name: changes of an account name it so. */
  readonly account_relationship_ids: Readonly<Record<string, string>>;
  readonly account_custom_properties: readonly (NonNullable<ProjectEntry["account_custom_properties"]>[number] & { readonly id: string })[];
  readonly accounts: readonly (NonNullable<ProjectEntry["accounts"]>[number] & { readonly id: string })[];
  readonly integrations: readonly (NonNullable<ProjectEntry["integrations"]>[number] & { readonly id: number })[];
}

/** A document that may be applied, with what its price list makes. */
export interface CheckedDocument {
  readonly document: Document;
  readonly priceList: PlannedPriceList | undefined;
}

/** Reads a document and checks all of it against what there is. Throws `DocumentProblem`. */
export const checkDocument = async (parts: Parts, json: unknown): Promise<CheckedDocument> => {
  const document = parseDocument(json);
  refuseDuplicates(document);
  await checkAgainst(parts, document);
  return { document, priceList: await planPrices(parts, document) };
};

/**
 * Makes what the document describes exist. The whole document is checked before the first write (throws `DocumentProblem`);
 * every step finds what an earlier, broken call left and goes on from there; a second call writes nothing.
 */
export const applyDocument = async (parts: Parts, json: unknown): Promise<AppliedTree> =>
  applyChecked(parts, await checkDocument(parts, json));

/** Makes what a checked document describes exist. */
export const applyChecked = async (parts: Parts, { document, priceList }: CheckedDocument): Promise<AppliedTree> => {
  // Keys refer to organizations and projects of the whole document, so those come first.
  const entries = document.organizations ?? [];
  const organizations = await oneByOne(entries, (entry) => ensureOrganization(parts, entry));
  const applied = await oneByOne(entries, (entry, at) => applyOrganization(parts, entry, found(organizations[at])));
  for (const campaign of document.coupon_campaigns ?? []) await ensureCampaign(parts, campaign);
  for (const card of document.sandbox_rate_cards ?? []) await ensureRateCard(parts, card);
  if (priceList === undefined) return { ...document, organizations: applied };
  await ensurePriceList(parts, priceList);
  const { number, effective_from } = priceList.version;
  return { ...document, organizations: applied, price_list: { number, effective_from } };
};

/** In the document's order, so that numbers are given out in that order too. */
const oneByOne = async <T, R>(all: readonly T[], step: (each: T, at: number) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  for (const [at, each] of all.entries()) results.push(await step(each, at));
  return results;
};

const applyOrganization = async (parts: Parts, entry: OrganizationEntry, organization: Organization): Promise<AppliedOrganization> => {
  const { id } = organization;
  for (const domain of entry.domains ?? []) await ensureDomain(parts, id, domain);
  const users = await oneByOne(entry.members ?? [], async (member) => {
    const user = await ensureUser(parts, member);
    await ensureMembership(parts, id, user.id, member);
    return user;
  });
  const roles = await oneByOne(entry.roles ?? [], async (role) => ({ ...role, id: await ensureRole(parts, entry.key, id, role) }));
  const projects = await oneByOne(entry.projects ?? [], (project) => ensureProject(parts, entry.key, id, project));
  const appliedProjects = await oneByOne(entry.projects ?? [], (project, at) => applyProject(parts, entry, project, found(projects[at])));
  const members = await oneByOne(entry.members ?? [], (member, at) => applyMember(parts, entry, member, found(users[at])));
  const applications = await oneByOne(entry.oauth_applications ?? [], async (application) => {
    const stored = await ensureOauthApplication(parts, entry.key, id, application);
    return { ...application, id: stored.id, client_id: stored.client_id };
  });
  for (const grant of entry.access ?? []) {
    const project = await projectNumber(parts, entry.key, grant.project);
    const user = found(await findUser(parts.table, grant.member)).id;
    await ensureAccess(parts, { organization: id, project, user }, grant);
  }
  return { ...entry, id, members, roles, projects: appliedProjects, oauth_applications: applications };
};

const applyMember = async (parts: Parts, organization: OrganizationEntry, entry: MemberEntry, user: User): Promise<AppliedMember> => {
  const keys = await oneByOne(entry.personal_api_keys ?? [], async (key) => {
    const marker = handleKey("personal-key", organization.key, entry.email.toLowerCase(), key.label);
    const { scopes, scoped_teams, scoped_organizations } = key;
    const made = await ensurePersonalKey(parts, marker, {
      label: key.label,
      user_id: user.id,
      ...(scopes && { scopes }),
      ...(scoped_teams !== undefined && { scoped_teams: [...(await projectNumbers(parts, organization.key, scoped_teams))] }),
      ...(scoped_organizations !== undefined && { scoped_organizations: [...(await organizationIds(parts, scoped_organizations))] }),
    });
    return { ...key, ...made };
  });
  return { ...entry, user_id: user.id, uuid: user.uuid, distinct_id: user.distinct_id, personal_api_keys: keys };
};

const applyProject = async (
  parts: Parts,
  organization: OrganizationEntry,
  entry: ProjectEntry,
  { project, secretToken }: AppliedProjectItem,
): Promise<AppliedProject> => {
  const { id, organization_id } = project;
  const keys = await oneByOne(entry.secret_api_keys ?? [], async (key) => {
    const marker = handleKey("secret-key", organization.key, entry.key, key.label);
    const made = await ensureSecretKey(parts, marker, {
      label: key.label,
      project_id: id,
      organization_id,
      ...(key.scopes && { scopes: key.scopes }),
    });
    return { ...key, ...made };
  });
  const relationships = entry.account_relationships ? await ensureRelationships(parts, id, entry.account_relationships) : [];
  const idsByName = new Map(relationships.map((definition) => [definition.name, definition.id]));
  const definitions =
    entry.account_custom_properties || entry.accounts ? await ensureCustomProperties(parts, id, entry.account_custom_properties ?? []) : [];
  const accounts = await oneByOne(entry.accounts ?? [], async (account) => ({
    ...account,
    id: (await ensureAccount(parts, id, definitions, account)).id,
  }));
  const integrations = await oneByOne(entry.integrations ?? [], async (integration) => ({
    ...integration,
    id: (await ensureIntegration(parts, { organization: organization.key, project: entry.key, id }, integration)).id,
  }));
  if (entry.quota) await ensureQuota(parts, id, entry.quota);
  return {
    ...entry,
    id,
    token: project.api_token,
    secret_token: secretToken,
    secret_api_keys: keys,
    account_relationship_ids: Object.fromEntries((entry.account_relationships ?? []).map((name) => [name, found(idsByName.get(name))])),
    account_custom_properties: (entry.account_custom_properties ?? []).map((property) => ({
      ...property,
      id: found(definitions.find(({ name }) => name === property.name)).id,
    })),
    accounts,
    integrations,
  };
};

const projectNumber = async ({ table }: Parts, organization: string, project: string): Promise<number> =>
  Number(found(await readHolder(table, handleKey("project", organization, project))));

const projectNumbers = (parts: Parts, organization: string, projects: readonly string[] | null): Promise<readonly number[]> =>
  oneByOne(projects ?? [], (project) => projectNumber(parts, organization, project));

const organizationIds = ({ table }: Parts, organizations: readonly string[] | null): Promise<readonly string[]> =>
  oneByOne(organizations ?? [], async (organization) => found(await readHolder(table, handleKey("organization", organization))));
