import * as z from "zod";
import { CouponCampaigns, CouponCodes } from "../../../lib/billing/coupons.ts";
import { type SandboxRateCard, SandboxRateCards } from "../../../lib/billing/sandbox-rate-cards.ts";
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
import type { AccountEntry, CampaignEntry, Document, OrganizationEntry, ProjectEntry, RateCardEntry, RoleEntry } from "./document.ts";
import { type HandleKind, handleKey } from "./handles.ts";
import { readHolder } from "./once.ts";
import type { Parts } from "./parts.ts";
import { findUser } from "./people.ts";
import { DocumentProblem, type Path } from "./problem.ts";

/**
 * Checks the document against what exists, before anything is written: what is new must state what it needs, what is referred to
 * must be in the document or in the table, and nothing that was removed comes back.
 */
export const checkAgainst = async ({ table, clock }: Pick<Parts, "table" | "clock">, document: Document): Promise<void> => {
  const organizations = document.organizations ?? [];
  for (const [at, organization] of organizations.entries()) await checkOrganization(table, document, organization, ["organizations", at]);
  for (const [at, campaign] of (document.coupon_campaigns ?? []).entries()) await checkCampaign(table, campaign, ["coupon_campaigns", at]);
  const cards = document.sandbox_rate_cards ?? [];
  for (const [at, card] of cards.entries()) await checkRateCard(table, card, clock.now(), ["sandbox_rate_cards", at]);
  if (cards.length > 0) await checkSuccession(table, cards, ["sandbox_rate_cards"]);
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

  for (const [at, member] of members.entries()) {
    for (const [place, key] of (member.personal_api_keys ?? []).entries()) {
      const inside = [...path, "members", at, "personal_api_keys", place];
      const known = await holds("personal-key", member.email.toLowerCase(), key.label);
      if (!known && key.scopes === undefined) throw new DocumentProblem([...inside, "scopes"], "a new key needs scopes");
      for (const [index, team] of (key.scoped_teams ?? []).entries()) {
        if (!(await hasProject(team)))
          throw new DocumentProblem([...inside, "scoped_teams", index], `there is no project ${JSON.stringify(team)}`);
      }
      for (const [index, other] of (key.scoped_organizations ?? []).entries()) {
        if (await hasOrganization(other)) continue;
        throw new DocumentProblem([...inside, "scoped_organizations", index], `there is no organization ${JSON.stringify(other)}`);
      }
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

const checkCampaign = async (table: Table, entry: CampaignEntry, path: Path): Promise<void> => {
  const stored = await store.get(table, CouponCampaigns, { slug: entry.slug }, { consistent: true });
  const kind = entry.kind ?? stored?.kind;
  if (stored === undefined && entry.name === undefined) throw new DocumentProblem([...path, "name"], "a new campaign needs a name");
  if (kind === undefined) throw new DocumentProblem([...path, "kind"], "a new campaign needs a kind");
  const [field, other] = kind === "percent" ? (["percent", "amount_cents"] as const) : (["amount_cents", "percent"] as const);
  if (entry[other] !== undefined) throw new DocumentProblem([...path, other], `a campaign of kind ${kind} has none`);
  if (entry[field] === undefined && stored?.kind !== kind)
    throw new DocumentProblem([...path, field], `a campaign of kind ${kind} needs it`);
  if (entry.duration === "periods" && !entry.periods && !stored?.periods) {
    throw new DocumentProblem([...path, "periods"], "a campaign that lasts for periods needs their number");
  }
  for (const [at, code] of (entry.codes ?? []).entries()) {
    const known = await store.get(table, CouponCodes, { code }, { consistent: true });
    if (known && known.slug !== entry.slug)
      throw new DocumentProblem([...path, "codes", at], `this code belongs to the campaign ${known.slug}`);
  }
};

const checkRateCard = async (table: Table, entry: RateCardEntry, now: number, path: Path): Promise<void> => {
  const stored = await store.get(table, SandboxRateCards, { version: entry.version }, { consistent: true });
  for (const field of ["effective_at", "cpu_core_second_usd", "memory_gib_second_usd"] as const) {
    if (entry[field] === undefined && stored === undefined) throw new DocumentProblem([...path, field], "a new rate card needs it");
  }
  for (const field of ["cpu_core_second_usd", "memory_gib_second_usd"] as const) {
    if (entry[field] !== undefined && Number(entry[field]) <= 0) throw new DocumentProblem([...path, field], "a price must be above zero");
  }
  const from = entry.effective_at ?? stored?.effective_at;
  const to = entry.expires_at === undefined ? stored?.expires_at : entry.expires_at;
  if (from && to && Date.parse(to) <= Date.parse(from)) throw new DocumentProblem([...path, "expires_at"], "it must be after effective_at");
  if (stored !== undefined && Date.parse(stored.effective_at) <= now) checkPast(stored, entry, now, path);
};

/** A card that has begun has priced what was used since: only a moment to come may be its end, where it has not ended yet. */
const checkPast = (stored: SandboxRateCard, entry: RateCardEntry, now: number, path: Path): void => {
  const refuse = (field: keyof RateCardEntry, message: string): never => {
    throw new DocumentProblem([...path, field], `this card began at ${stored.effective_at}, and ${message}`);
  };
  for (const field of ["cpu_core_second_usd", "memory_gib_second_usd"] as const) {
    if (entry[field] !== undefined && entry[field] !== stored[field]) refuse(field, "its prices stay: give a card that follows it");
  }
  const { effective_at, expires_at } = entry;
  if (effective_at !== undefined && Date.parse(effective_at) !== Date.parse(stored.effective_at)) refuse("effective_at", "that stays");
  if (expires_at === undefined || endsAt(expires_at) === endsAt(stored.expires_at)) return;
  if (endsAt(stored.expires_at) <= now) refuse("expires_at", "it ended: that stays");
  if (endsAt(expires_at) < now) refuse("expires_at", "it cannot end in the past: give a moment to come");
};

const endsAt = (expires_at: string | null): number => (expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at));

/**
 * Rate cards follow one another, so that no moment has two prices and none between them has no price. The table's own are taken into
 * account; what is wrong among those alone is not this document's mistake.
 */
const checkSuccession = async (table: Table, entries: readonly RateCardEntry[], path: Path): Promise<void> => {
  const stored = await store.list(table, SandboxRateCards, "key", {}, { consistent: true });
  const cards = new Map(stored.map(({ version, effective_at, expires_at }) => [version, { version, effective_at, expires_at, at: -1 }]));
  for (const [at, { version, effective_at, expires_at }] of entries.entries()) {
    const known = cards.get(version);
    cards.set(version, {
      version,
      effective_at: effective_at ?? known?.effective_at ?? "",
      expires_at: expires_at === undefined ? (known?.expires_at ?? null) : expires_at,
      at,
    });
  }
  const inTime = [...cards.values()].sort((one, other) => Date.parse(one.effective_at) - Date.parse(other.effective_at));
  for (const [place, { version, effective_at, at }] of inTime.entries()) {
    const before = inTime[place - 1];
    if (before === undefined || (at < 0 && before.at < 0)) continue;
    if (before.expires_at !== null && Date.parse(before.expires_at) === Date.parse(effective_at)) continue;
    if (before.at >= 0) {
      const message = `the next card, ${JSON.stringify(version)}, begins at ${effective_at}: this one must end then`;
      throw new DocumentProblem([...path, before.at, "expires_at"], message);
    }
    const end = before.expires_at === null ? "has no end" : `ends at ${before.expires_at}`;
    const message = `the card before, ${JSON.stringify(before.version)}, ${end}: it must end when this one begins`;
    throw new DocumentProblem([...path, at, "effective_at"], message);
  }
};
