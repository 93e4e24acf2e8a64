import type { Account } from "../../lib/customers/accounts.ts";
import { isLeaving } from "../../lib/organizations/blocked-members.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import { Organizations } from "../../lib/organizations/organizations.ts";
import { Users as UserEntity } from "../../lib/organizations/users.ts";
import type { Table } from "../../lib/ports/table.ts";
import { get, getMany } from "../../lib/table/store.ts";
import type { Users } from "./wire.ts";

/** The users that are assigned to accounts and exist. */
export const assignedUsers = async (table: Table, accounts: readonly Account[]): Promise<Users> => {
  const ids = [...new Set(accounts.flatMap(({ relationships }) => Object.values(relationships).flat()))];
  const users = await getMany(
    table,
    UserEntity,
    ids.map((id) => ({ id })),
  );
  return new Map(users.map((user) => [user.id, user]));
};

/** Those of the users who are members of the organization now. */
export const membersAmong = async (table: Table, organization: string, users: Users): Promise<Users> => {
  const keys = [...users.keys()].map((user_id) => ({ organization_id: organization, user_id }));
  if (keys.length === 0) return users;
  const [found, memberships] = await Promise.all([
    get(table, Organizations, { id: organization }, { consistent: true }),
    getMany(table, Memberships, keys, { consistent: true }),
  ]);
  const staying = memberships.filter(
    (membership) => found !== undefined && !isLeaving(found, membership, users.get(membership.user_id)?.email),
  );
  return new Map(
    staying.flatMap(({ user_id }) => {
      const user = users.get(user_id);
      return user === undefined ? [] : [[user_id, user] as const];
    }),
  );
};
