import * as z from "zod";
import { parseInstant } from "../../lib/core/time.ts";
import type { CustomPropertyDefinition } from "../../lib/customers/account-definitions.ts";
import { type Account, Accounts, EXTERNAL_ID_CHARACTERS } from "../../lib/customers/accounts.ts";
import { bare } from "../../lib/http/errors.ts";
import { moment, text, uuid } from "../../lib/http/fields.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import type { Table } from "../../lib/ports/table.ts";
import type { Project } from "../../lib/projects/projects.ts";
import { isStorable, UNSTORABLE_NUMBER } from "../../lib/table/storable.ts";
import { getMany, update } from "../../lib/table/store.ts";
import { untilWritten } from "../../lib/table/until-written.ts";
import { findAccount } from "./accounts.ts";
import { readDefinitions } from "./definitions.ts";
import { customValue } from "./wire.ts";

/** Limits of one account, so that it stays one small item. */
const MOST_TAGS = 100;
const TAG_CHARACTERS = 200;
const MOST_VALUES = 200;
const VALUE_CHARACTERS = 1_000;

const external_id = text({ max: EXTERNAL_ID_CHARACTERS, blank: true });

export const NewAccount = z.object({ external_id }).meta({ id: "ExternalAccountCreate" });

const Tag = text({ max: TAG_CHARACTERS });

export const AccountChange = z
  .object({
    external_id,
    relationships: z.record(uuid(), z.object({ type: z.literal("user"), id: z.int().positive() }).nullable()).optional(),
    tags: z.array(Tag).max(MOST_TAGS).optional(),
    tags_mode: z.enum(["add", "set", "remove"]).default("add"),
    churned_at: moment().nullable().optional(),
  })
  .meta({ id: "ExternalAccountUpdate" });
export type AccountChange = z.output<typeof AccountChange>;

const Scalar = z
  .union([z.string().max(VALUE_CHARACTERS), z.number(), z.boolean()])
  .refine((value) => typeof value !== "number" || isStorable(value), UNSTORABLE_NUMBER);

export const AccountValues = z
  .object({ external_id, properties: z.record(uuid(), Scalar.nullable()) })
  .meta({ id: "ExternalAccountValues" });

export const ValuesSet = z
  .object({ external_id: z.string(), values: z.array(z.object({ definition_id: z.guid(), value: Scalar.nullable() })) })
  .meta({ id: "ExternalAccountValuesSet" });

/** Applies all of a change or, where a part of it does not fit, nothing. */
export const changeAccount = (table: Table, project: Pick<Project, "id" | "organization_id">, change: AccountChange): Promise<Account> =>
  revise(table, project.id, change.external_id, async (account) => ({
    ...(change.tags && { tags: nextTags(account.tags, change.tags, change.tags_mode) }),
    ...(change.relationships && { relationships: await nextRelationships(table, project, account, change.relationships) }),
    ...(change.churned_at !== undefined && { churned_at: change.churned_at && new Date(parseInstant(change.churned_at)).toISOString() }),
  }));

export const setValues = async (
  table: Table,
  project: number,
  { external_id: externalId, properties }: z.output<typeof AccountValues>,
): Promise<z.input<typeof ValuesSet>> => {
  const definitions = new Map((await readDefinitions(table, project)).properties.map((each) => [each.id, each]));
  const account = await revise(table, project, externalId, async (stored) => {
    const next = { ...stored.custom_properties };
    for (const [id, value] of Object.entries(properties)) {
      const definition = definitions.get(id);
      if (definition === undefined) throw bare(400, { error: `There is no custom property ${id} in this project.` });
      if (value === null) delete next[id];
      else next[id] = fitting(definition, value);
    }
    if (Object.keys(next).length > MOST_VALUES) throw bare(400, { error: `An account holds at most ${MOST_VALUES} values.` });
    return { custom_properties: next };
  });
  const set = Object.keys(properties).flatMap((id) => definitions.get(id) ?? []);
  return { external_id: account.external_id, values: set.map((each) => ({ definition_id: each.id, value: customValue(account, each) })) };
};

/** Tries of a change that others came before. */
const TRIES = 5;

/** Changes an account as it is now; one that somebody else has changed meanwhile is looked at again, and given up in the end. */
const revise = (
  table: Table,
  project: number,
  externalId: string,
  next: (account: Account) => Promise<Partial<Account>>,
): Promise<Account> =>
  untilWritten({ most: TRIES, otherwise: changedMeanwhile }, async () => {
    const { account, revision } = await findAccount(table, project, externalId);
    const set = await next(account);
    const unchanged = { kind: "equals", attribute: "rev", value: revision } as const;
    return update(table, Accounts, { project_id: project, id: account.id }, { set }, unchanged);
  });

const changedMeanwhile = (): Error => bare(409, { error: "The account was changed by others at the same time. Try again." });

const nextTags = (stored: readonly string[], given: readonly string[], mode: AccountChange["tags_mode"]): string[] => {
  const kept = mode === "set" ? [] : mode === "remove" ? stored.filter((tag) => !given.includes(tag)) : stored;
  const all = [...new Set([...kept, ...(mode === "remove" ? [] : given)])].sort();
  if (all.length > MOST_TAGS) throw bare(400, { error: `An account has at most ${MOST_TAGS} tags.` });
  return all;
};

const nextRelationships = async (
  table: Table,
  project: Pick<Project, "id" | "organization_id">,
  { relationships }: Account,
  given: NonNullable<AccountChange["relationships"]>,
): Promise<Account["relationships"]> => {
  const definitions = await readDefinitions(table, project.id);
  const known = new Set(definitions.relationships.map(({ id }) => id));
  const members = await membersOf(
    table,
    project.organization_id,
    Object.entries(given).flatMap(([id, assignee]) => (known.has(id) ? (assignee?.id ?? []) : [])),
  );
  const next = { ...relationships };
  for (const [id, assignee] of Object.entries(given)) {
    if (!known.has(id)) throw bare(400, { error: `There is no relationship ${id} in this project.` });
    if (assignee === null) {
      delete next[id];
      continue;
    }
    if (!members.has(assignee.id)) throw bare(400, { error: `User ${assignee.id} is no member of this project's organization.` });
    next[id] = [assignee.id];
  }
  return next;
};

/** Those of the users who are members of the organization: one read. */
const membersOf = async (table: Table, organization_id: string, users: readonly number[]): Promise<ReadonlySet<number>> => {
  const keys = [...new Set(users)].map((user_id) => ({ organization_id, user_id }));
  const memberships = keys.length === 0 ? [] : await getMany(table, Memberships, keys);
  return new Set(memberships.map(({ user_id }) => user_id));
};

const fitting = ({ name, type }: CustomPropertyDefinition, value: string | number | boolean): string | number | boolean => {
  const isStamp = typeof value === "string" && moment().safeParse(value).success;
  const fits = type === "datetime" ? isStamp : typeof value === type;
  if (!fits) throw bare(400, { error: `${name} takes a ${type === "datetime" ? "date and time, ISO 8601" : type}.` });
  return isStamp && type === "datetime" ? new Date(parseInstant(value)).toISOString() : value;
};
