import { type Role, Roles } from "../../../lib/organizations/roles.ts";
import * as store from "../../../lib/table/store.ts";
import { ABSENT } from "../../../lib/table/transact.ts";
import type { RoleEntry } from "./document.ts";
import { handleKey } from "./handles.ts";
import { once, readHolder } from "./once.ts";
import { found } from "./organizations.ts";
import { isoNow, type Parts } from "./parts.ts";
import { findUser } from "./people.ts";
import { differing } from "./same.ts";

/** The id of the role behind an entry's key, which is made or brought up to date. Its members are in the organization already. */
export const ensureRole = async (parts: Parts, organizationKey: string, organization: string, entry: RoleEntry): Promise<string> => {
  const { table, ids } = parts;
  const marker = handleKey("role", organizationKey, entry.key);
  const members = entry.members && (await userNumbers(parts, entry.members));
  const given = { ...(entry.name !== undefined && { name: entry.name }), ...(members && { members }) };
  const fresh: Role = {
    organization_id: organization,
    id: entry.id ?? ids.uuid(),
    name: entry.key,
    members: [],
    created_at: isoNow(parts),
    ...given,
  };
  const id = (await readHolder(table, marker)) ?? (await once(table, marker, fresh.id, [store.putting(Roles, fresh, ABSENT)])).owner;
  const key = { organization_id: organization, id };
  const role = await store.require(table, Roles, key, { consistent: true });
  const changes = differing<Role>(role, given);
  if (changes) await store.update(table, Roles, key, { set: changes });
  return id;
};

const userNumbers = async ({ table }: Parts, emails: readonly string[]): Promise<number[]> => {
  const users = await Promise.all(emails.map((email) => findUser(table, email)));
  return users.map((user) => found(user).id);
};
