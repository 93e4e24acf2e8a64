import * as z from "zod";
import {
  AccountRelationshipDefinitions,
  type CustomPropertyDefinition,
  CustomPropertyDefinitions,
  customPropertiesOfProject,
  relationshipsOfProject,
} from "../../../lib/customers/account-definitions.ts";
import { moment } from "../../../lib/http/fields.ts";
import { Memberships } from "../../../lib/organizations/memberships.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { Roles } from "../../../lib/organizations/roles.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { Integrations, integrationsOfProject } from "../../../lib/projects/integrations.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import type { BoundedList } from "../../../lib/table/bounded-list.ts";
import * as store from "../../../lib/table/store.ts";
import { checkPrices } from "./check-prices.ts";
import type { AccountEntry, Document, OrganizationEntry, PersonalKeyEntry, ProjectEntry, RoleEntry } from "./document.ts";
import { type HandleKind, handleKey } from "./handles.ts";
import { readHolder } from "./once.ts";
import type { Parts } from "./parts.ts";
import { findUser } from "./people.ts";
import { DocumentProblem, type Path } from "./problem.ts";

/**
 * Checks the document against what exists, before anything is written: what is new must state what it needs, what is referred to
 * must be in the document or in the table, and nothing that was removed comes back.
 */
export const checkAgainst = async (parts: Pick<Parts, "table" | "clock">, document: Document): Promise<void> => {
  const organizations = document.organizations ?? [];
  for (const [at, organization] of organizations.entries())
    await checkOrganization(parts.table, document, organization, ["organizations", at]);
  await checkPrices(parts, document);
};

const checkOrganization = async (table: Table, document: Document, entry: OrganizationEntry, path: Path): Promise<void> => {
  const id = await readHolder(table, handleKey("organization", entry.key));
  if (id === undefined && entry.name === undefined) throw new DocumentProblem([...path, "name"], "a new organization needs a name");
  const stored = id === undefined ? undefined : await store.get(table, Organizations, { id }, { consistent: true });
  if (stored?.state === "removed") throw new DocumentProblem([...path, "key"], "this organization was removed; use another key");
  const { members = [], roles = [], projects = [], oauth_applications = [], access = [] } = entry;
  const holds = holding(table, entry.key);

  const hasProject = async (key: string): Promise<boolean> => projects.some((project) => project.key === key) || holds("project", key);
  const hasMember = async (email: string): Promise<boolean> => {
    if (members.some((member) => member.email.toLowerCase() === email.toLowerCase())) return true;
    const user = id === undefined ? undefined : await findUser(table, email);
    if (id === undefined || user === undefined) return false;
    return (await store.get(table, Memberships, { organization_id: id, user_id: user.id }, { consistent: true })) !== undefined;
  };
  const hasOrganization = async (key: string): Promise<boolean> =>
    (document.organizations ?? []).some((organization) => organization.key === key) ||
    (await readHolder(table, handleKey("organization", key))) !== undefined;

  for (const [at, { email, personal_api_keys = [] }] of members.entries()) {
    for (const [place, key] of personal_api_keys.entries()) {
      const isKnown = await holds("personal-key", email.toLowerCase(), key.label);
      await checkPersonalKey(key, isKnown, { hasProject, hasOrganization }, [...path, "members", at, "personal_api_keys", place]);
    }
  }
  for (const [at, role] of roles.entries()) await checkRole(table, { key: entry.key, id }, role, hasMember, [...path, "roles", at]);
  for (const [at, project] of projects.entries()) {
    await checkProject(table, entry.key, project, hasMember, [...path, "projects", at]);
  }
  for (const [at, application] of oauth_applications.entries()) {
    if (application.name !== undefined || (await holds("oauth-application", application.key))) continue;
    throw new DocumentProblem([...path, "oauth_applications", at, "name"], "a new application needs a name");
  }
  for (const [at, { project, member }] of access.entries()) {
    const inside = [...path, "access", at];
    if (!(await hasProject(project))) throw new DocumentProblem([...inside, "project"], `there is no project ${JSON.stringify(project)}`);
    if (!(await hasMember(member))) throw new DocumentProblem([...inside, "member"], `${member} is no member of this organization`);
  }
};

const holding =
  (table: Table, ...first: readonly string[]) =>
  async (kind: HandleKind, ...rest: readonly string[]): Promise<boolean> =>
    (await readHolder(table, handleKey(kind, ...first, ...rest))) !== undefined;

type Holds = ReturnType<typeof holding>;
type HasMember = (email: string) => Promise<boolean>;

/** Whether there are a project and an organization of these keys, in the table or in the document. */
interface KeyPlaces {
  readonly hasProject: (key: string) => Promise<boolean>;
  readonly hasOrganization: (key: string) => Promise<boolean>;
}

const checkPersonalKey = async (entry: PersonalKeyEntry, isKnown: boolean, places: KeyPlaces, path: Path): Promise<void> => {
  if (!isKnown && entry.scopes === undefined) throw new DocumentProblem([...path, "scopes"], "a new key needs scopes");
  for (const [at, key] of (entry.scoped_teams ?? []).entries()) {
    if (await places.hasProject(key)) continue;
    throw new DocumentProblem([...path, "scoped_teams", at], `there is no project ${JSON.stringify(key)}`);
  }
  for (const [at, key] of (entry.scoped_organizations ?? []).entries()) {
    if (await places.hasOrganization(key)) continue;
    throw new DocumentProblem([...path, "scoped_organizations", at], `there is no organization ${JSON.stringify(key)}`);
  }
};

const checkRole = async (
  table: Table,
  organization: { readonly key: string; readonly id: string | undefined },
  entry: RoleEntry,
  hasMember: HasMember,
  path: Path,
): Promise<void> => {
  const known = await readHolder(table, handleKey("role", organization.key, entry.key));
  if (known === undefined && entry.name === undefined) throw new DocumentProblem([...path, "name"], "a new role needs a name");
  if (entry.id !== undefined && organization.id !== undefined && entry.id !== known) {
    if (known !== undefined) throw new DocumentProblem([...path, "id"], `this role has the id ${known}`);
    const other = await store.get(table, Roles, { organization_id: organization.id, id: entry.id }, { consistent: true });
    if (other !== undefined) throw new DocumentProblem([...path, "id"], `the role ${JSON.stringify(other.name)} has this id`);
  }
  for (const [at, email] of (entry.members ?? []).entries()) {
    if (!(await hasMember(email))) throw new DocumentProblem([...path, "members", at], `${email} is no member of this organization`);
  }
};

const checkProject = async (table: Table, organization: string, entry: ProjectEntry, hasMember: HasMember, path: Path): Promise<void> => {
  const id = await readHolder(table, handleKey("project", organization, entry.key));
  if (id === undefined && entry.name === undefined) throw new DocumentProblem([...path, "name"], "a new project needs a name");
  const stored = id === undefined ? undefined : await store.get(table, Projects, { id: Number(id) }, { consistent: true });
  if (stored?.state === "removed") throw new DocumentProblem([...path, "key"], "this project was removed; use another key");
  const holds = holding(table, organization, entry.key);
  for (const [at, { label, scopes }] of (entry.secret_api_keys ?? []).entries()) {
    if (scopes !== undefined || (await holds("secret-key", label))) continue;
    throw new DocumentProblem([...path, "secret_api_keys", at, "scopes"], "a new key needs scopes; they may be an empty list");
  }
  const project = stored?.id ?? NEW_PROJECT;
  await checkIntegrations(table, project, entry, holds, path);
  const types = await propertyTypes(table, project, entry, path);
  const relationships = await relationshipNames(table, project, entry, path);
  for (const [at, account] of (entry.accounts ?? []).entries()) {
    await checkAccount(account, types, relationships, hasMember, [...path, "accounts", at]);
  }
};

/** In the place of the number of a project that is yet to be made: nothing lies under it. */
const NEW_PROJECT = 0;

/**
 * What a project may not have any more of is refused before anything is written. Noticed while the document is applied, it would end the
 * command after keys were made, whose values nobody would be told.
 */
const checkRoom = ({ most, full }: BoundedList, known: number, placesOfNew: readonly number[], path: Path): void => {
  const firstOver = placesOfNew[Math.max(0, most - known)];
  if (firstOver !== undefined) throw new DocumentProblem([...path, firstOver], full);
};

const checkIntegrations = async (
  table: Table,
  project: number,
  { integrations = [] }: ProjectEntry,
  holds: Holds,
  path: Path,
): Promise<void> => {
  const placesOfNew: number[] = [];
  for (const [at, { key, kind }] of integrations.entries()) {
    if (await holds("integration", key)) continue;
    if (kind === undefined) throw new DocumentProblem([...path, "integrations", at, "kind"], "a new integration needs a kind");
    placesOfNew.push(at);
  }
  if (placesOfNew.length === 0) return;
  const known = await store.list(table, Integrations, "key", { project_id: project }, { consistent: true });
  checkRoom(integrationsOfProject(project), known.length, placesOfNew, [...path, "integrations"]);
};

const relationshipNames = async (
  table: Table,
  project: number,
  { account_relationships = [] }: ProjectEntry,
  path: Path,
): Promise<ReadonlySet<string>> => {
  const known = await store.list(table, AccountRelationshipDefinitions, "key", { project_id: project }, { consistent: true });
  const names = new Set(known.map((definition) => definition.name));
  const placesOfNew = [...account_relationships.keys()].filter((at) => !names.has(account_relationships[at] ?? ""));
  checkRoom(relationshipsOfProject(project), known.length, placesOfNew, [...path, "account_relationships"]);
  return new Set([...names, ...account_relationships]);
};

type PropertyType = CustomPropertyDefinition["type"];

const propertyTypes = async (
  table: Table,
  project: number,
  entry: ProjectEntry,
  path: Path,
): Promise<ReadonlyMap<string, PropertyType>> => {
  const known = await store.list(table, CustomPropertyDefinitions, "key", { project_id: project }, { consistent: true });
  const placesOfNew: number[] = [];
  const types = new Map(known.map((definition) => [definition.name, definition.type]));
  for (const [at, { name, type }] of (entry.account_custom_properties ?? []).entries()) {
    const inside = [...path, "account_custom_properties", at, "type"];
    const existing = types.get(name);
    if (existing === undefined && type === undefined) throw new DocumentProblem(inside, "a new property needs a type");
    if (existing !== undefined && type !== undefined && type !== existing) {
      throw new DocumentProblem(inside, `this property exists with the type ${existing}, which cannot change`);
    }
    if (existing === undefined) placesOfNew.push(at);
    if (type !== undefined) types.set(name, type);
  }
  checkRoom(customPropertiesOfProject(project), known.length, placesOfNew, [...path, "account_custom_properties"]);
  return types;
};

const checkAccount = async (
  account: AccountEntry,
  types: ReadonlyMap<string, PropertyType>,
  relationships: ReadonlySet<string>,
  hasMember: HasMember,
  path: Path,
): Promise<void> => {
  for (const [name, emails] of Object.entries(account.relationships ?? {})) {
    const inside = [...path, "relationships", name];
    if (!relationships.has(name)) throw new DocumentProblem(inside, "there is no such relationship; name it in account_relationships");
    for (const [at, email] of emails.entries()) {
      if (!(await hasMember(email))) throw new DocumentProblem([...inside, at], `${email} is no member of this organization`);
    }
  }
  for (const [name, value] of Object.entries(account.custom_properties ?? {})) {
    const inside = [...path, "custom_properties", name];
    const type = types.get(name);
    if (type === undefined) throw new DocumentProblem(inside, "there is no such property; name it in account_custom_properties");
    if (value !== null && !fits(value, type)) throw new DocumentProblem(inside, `expected a ${type}`);
  }
};

const fits = (value: string | number | boolean, type: PropertyType): boolean =>
  type === "datetime" ? DateOrMoment.safeParse(value).success : typeof value === type;

/** A day or a moment, ISO 8601. */
const DateOrMoment = z.union([z.iso.date(), moment()]);
