import { AccountRelationshipDefinitions, type CustomPropertyDefinition } from "../../../lib/customers/account-definitions.ts";
import { type Account, Accounts } from "../../../lib/customers/accounts.ts";
import { externalIdMarker, newAccount } from "../../../lib/customers/group-accounts.ts";
import * as store from "../../../lib/table/store.ts";
import { ABSENT } from "../../../lib/table/transact.ts";
import type { AccountEntry } from "./document.ts";
import { once, readHolder } from "./once.ts";
import { found } from "./organizations.ts";
import { isoNow, type Parts } from "./parts.ts";
import { findUser } from "./people.ts";
import { differing } from "./same.ts";

/** The account behind an external id, made or brought up to date; relationships and properties that are not stated stay. */
export const ensureAccount = async (
  parts: Parts,
  project: number,
  definitions: readonly CustomPropertyDefinition[],
  entry: AccountEntry,
): Promise<Account> => {
  const { table, ids } = parts;
  const marker = externalIdMarker(project, entry.external_id);
  const { external_id, name = external_id } = entry;
  const fresh: Account = newAccount({ id: ids.uuid(), project_id: project, external_id, name, created_at: isoNow(parts) });
  const id = (await readHolder(table, marker)) ?? (await once(table, marker, fresh.id, [store.putting(Accounts, fresh, ABSENT)])).owner;
  const account = await store.require(table, Accounts, { project_id: project, id }, { consistent: true });
  const given: Partial<Account> = {
    ...(entry.name !== undefined && { name: entry.name }),
    ...(entry.properties && { properties: { ...account.properties, ...entry.properties } }),
    ...(entry.tags && { tags: [...new Set(entry.tags)].sort() }),
    ...(entry.relationships && {
      relationships: { ...account.relationships, ...(await assignments(parts, project, entry.relationships)) },
    }),
    ...(entry.custom_properties && { custom_properties: withValues(account.custom_properties, definitions, entry.custom_properties) }),
    ...(entry.ignored_at !== undefined && { ignored_at: entry.ignored_at }),
    ...(entry.churned_at !== undefined && { churned_at: entry.churned_at }),
  };
  const changes = differing(account, given);
  return changes ? store.update(table, Accounts, { project_id: project, id }, { set: changes }) : account;
};

/** Definition ids with the users of the given addresses. */
const assignments = async ({ table }: Parts, project: number, relationships: Readonly<Record<string, readonly string[]>>) => {
  const definitions = await store.list(table, AccountRelationshipDefinitions, "key", { project_id: project }, { consistent: true });
  const assigned: Record<string, number[]> = {};
  for (const [name, emails] of Object.entries(relationships)) {
    const { id } = found(definitions.find((definition) => definition.name === name));
    const users = await Promise.all(emails.map((email) => findUser(table, email)));
    assigned[id] = users.map((user) => found(user).id);
  }
  return assigned;
};

/** The stored values with those stated set, and those stated as null gone. */
const withValues = (
  stored: Account["custom_properties"],
  definitions: readonly CustomPropertyDefinition[],
  given: NonNullable<AccountEntry["custom_properties"]>,
): Account["custom_properties"] => {
  const next = { ...stored };
  for (const [name, value] of Object.entries(given)) {
    const { id } = found(definitions.find((definition) => definition.name === name));
    if (value === null) delete next[id];
    else next[id] = value;
  }
  return next;
};
