import { type Account, Accounts } from "../../lib/customers/accounts.ts";
import { isLeaving } from "../../lib/organizations/blocked-members.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import { Organizations } from "../../lib/organizations/organizations.ts";
import { Users as UserEntity } from "../../lib/organizations/users.ts";
import type { Table } from "../../lib/ports/table.ts";
import type { Project } from "../../lib/projects/projects.ts";
import { get, getMany, page } from "../../lib/table/store.ts";
import { readDefinitions } from "./definitions.ts";
import type { ListParameters } from "./parameters.ts";
import { accountForm, accountRow, type Users } from "./wire.ts";

/** Accounts looked at for one page: where few of many are wanted, a page may hold fewer than asked for and name where to go on. */
const MOST_LOOKED_AT = 5_000;

/** Accounts looked at in one step. */
const STEP = 500;

/** A page of a project's accounts in the order of their ids. It names where to go on only where another account is wanted. */
export const listAccounts = async (
  table: Table,
  project: Pick<Project, "id" | "organization_id">,
  { limit, cursor, assigned_only, include_ignored }: ListParameters,
) => {
  const definitions = await readDefinitions(table, project.id);
  const results: ReturnType<typeof accountRow>[] = [];
  let after = cursor;
  let lastShown = cursor;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += STEP) {
    const from = after === null ? {} : { from: after };
    const { items, cursor: more } = await page(table, Accounts, "key", { project_id: project.id }, { ...from, limit: STEP });
    const last = after;
    const rest = items.filter(({ id }) => last === null || id > last);
    const members = await membersAmong(table, project.organization_id, await assignedUsers(table, rest));
    for (const account of rest) {
      after = account.id;
      const row = accountRow(account, definitions, members);
      const isWanted =
        account.external_id !== "" &&
        (include_ignored || account.ignored_at === null) &&
        (!assigned_only || Object.keys(row.relationships).length > 0);
      if (!isWanted) continue;
      if (results.length === limit) return { results, next_cursor: lastShown };
      results.push(row);
      lastShown = account.id;
    }
    if (more === null) return { results, next_cursor: null };
  }
  return { results, next_cursor: after };
};

/** The account as it is sent alone. */
export const shownAccount = async (table: Table, account: Account) => {
  const [definitions, users] = await Promise.all([readDefinitions(table, account.project_id), assignedUsers(table, [account])]);
  return accountForm(account, definitions, users);
};

/** The users that are assigned to accounts and exist. */
const assignedUsers = async (table: Table, accounts: readonly Account[]): Promise<Users> => {
  const ids = [...new Set(accounts.flatMap(({ relationships }) => Object.values(relationships).flat()))];
  const users = await getMany(
    table,
    UserEntity,
    ids.map((id) => ({ id })),
  );
  return new Map(users.map((user) => [user.id, user]));
};

/** Those of the users who are members of the organization now. */
const membersAmong = async (table: Table, organization: string, users: Users): Promise<Users> => {
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
