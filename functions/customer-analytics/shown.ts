import type { Account } from "../../lib/customers/accounts.ts";
import type { Table } from "../../lib/ports/table.ts";
import { definitionsOf } from "./definitions.ts";
import { assignedUsers } from "./people.ts";
import { accountForm } from "./wire.ts";

/** The account as it is sent alone. */
export const shownAccount = async (table: Table, account: Account) => {
  const [definitions, users] = await Promise.all([definitionsOf(table, account.project_id), assignedUsers(table, [account])]);
  return accountForm(account, definitions, users);
};
