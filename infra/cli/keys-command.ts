import { keysOfPerson, PersonalApiKeys } from "../../lib/keys/personal-api-keys.ts";
import { ProjectSecretKeys, secretKeysOfProject } from "../../lib/keys/project-secret-keys.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import { Organizations } from "../../lib/organizations/organizations.ts";
import { Users } from "../../lib/organizations/users.ts";
import type { Key, Table } from "../../lib/ports/table.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { type BoundedList, takeFromList } from "../../lib/table/bounded-list.ts";
import * as store from "../../lib/table/store.ts";
import { listQuery } from "../../lib/table/store.ts";
import { untilWritten } from "../../lib/table/until-written.ts";
import { UserError } from "../local/user-error.ts";
import { columns, type Run } from "./command.ts";

/** A key as the list shows it; nothing of its value but the mask. */
interface ListedKey {
  readonly id: string;
  readonly kind: "personal" | "secret";
  readonly label: string;
  readonly mask_value: string;
  /** E-mail address or project id. */
  readonly owner: string;
  readonly organizations: readonly string[];
  readonly scopes: readonly string[];
  readonly created_at: string;
}

export const listKeys: Run = async ({ world }) => {
  const keys = await keysIn(world.table);
  const rows = keys.map((key) => [key.id, key.kind, key.label, key.owner, key.mask_value, key.scopes.join(","), key.created_at]);
  return { json: keys, lines: columns(["id", "kind", "label", "owner", "value", "scopes", "created"], rows) };
};

export const revokeKeys: Run = async ({ world, forgetKeys }, { words }) => {
  const ids = [...new Set(words)];
  // All have to be there before one goes.
  await Promise.all(ids.map((id) => keyItem(world.table, id)));
  for (const id of ids) await revokeKey(world, id);
  forgetKeys();
  return { json: { revoked: words }, lines: words.map((id) => `Revoked ${id}.`) };
};

/** Tries while a key is rolled or deleted at the same moment. */
const TRIES = 3;

/** One that was rolled meanwhile is there under another key of the table, and would go on opening what it opens. */
const revokeKey = (world: Parameters<typeof takeFromList>[0], id: string): Promise<void> =>
  untilWritten({ most: TRIES, otherwise: () => new UserError(`The key ${id} was changed at this moment. Try again.`) }, async () => {
    const { key, list } = await keyItem(world.table, id);
    await takeFromList(world, list, [{ kind: "remove", key, when: { kind: "present" } }]);
  });

/** All keys of all organizations, those of a person once. */
const keysIn = async (table: Table): Promise<readonly ListedKey[]> => {
  const people = new Map<number, string[]>();
  const keys: ListedKey[] = [];
  for await (const organizations of store.pages(table, Organizations, "all", {})) {
    for (const organization of organizations) {
      for await (const members of store.pages(table, Memberships, "key", { organization_id: organization.id })) {
        for (const { user_id } of members) people.set(user_id, [...(people.get(user_id) ?? []), organization.name]);
      }
      for await (const projects of store.pages(table, Projects, "ofOrganization", { organization_id: organization.id })) {
        for (const project of projects) keys.push(...(await secretKeys(table, project.id, organization.name)));
      }
    }
  }
  const personal: ListedKey[] = [];
  for (const [user, organizations] of people) personal.push(...(await personalKeys(table, user, organizations)));
  return [...personal, ...keys];
};

const personalKeys = async (table: Table, user: number, organizations: readonly string[]): Promise<readonly ListedKey[]> => {
  const { email } = await store.require(table, Users, { id: user });
  const keys = await store.list(table, PersonalApiKeys, "ofUser", { user_id: user });
  return keys.map(({ id, label, mask_value, scopes, created_at }) => ({
    id,
    kind: "personal",
    label,
    mask_value,
    owner: email,
    organizations,
    scopes,
    created_at,
  }));
};

const secretKeys = async (table: Table, project: number, organization: string): Promise<readonly ListedKey[]> => {
  const keys = await store.list(table, ProjectSecretKeys, "ofProject", { project_id: project });
  return keys.map(({ id, label, mask_value, scopes, created_at }) => ({
    id,
    kind: "secret",
    label,
    mask_value,
    owner: `project ${project}`,
    organizations: [organization],
    scopes,
    created_at,
  }));
};

/** A key's item, and the list that it counts in. Both kinds of keys lie under the same index key, so one look finds either. */
const keyItem = async (table: Table, id: string): Promise<{ readonly key: Key; readonly list: BoundedList }> => {
  const { items } = await table.query(listQuery(PersonalApiKeys, "byId", { id }));
  for (const { pk, sk } of items) {
    const stored = await table.get({ pk, sk }, { consistent: true });
    if (typeof stored?.user_id === "number") return { key: { pk, sk }, list: keysOfPerson(stored.user_id) };
    if (typeof stored?.project_id === "number") return { key: { pk, sk }, list: secretKeysOfProject(stored.project_id) };
  }
  throw unknownKey(id);
};

const unknownKey = (id: string): UserError => new UserError(`There is no key ${id}: "keys list" shows them.`);
