import { Accounts } from "../../lib/customers/accounts.ts";
import type { Table } from "../../lib/ports/table.ts";
import type { Project } from "../../lib/projects/projects.ts";
import { page } from "../../lib/table/store.ts";
import { definitionsOf } from "./definitions.ts";
import type { ListParameters } from "./parameters.ts";
import { assignedUsers, membersAmong } from "./people.ts";
import { accountRow } from "./wire.ts";

/** Accounts looked at for one page: where few of many are wanted, a page may hold fewer than asked for and name where to go on. */
const MOST_LOOKED_AT = 5_000;

/** Accounts looked at in one step. */
const STEP = 500;

/** A page of a project's accounts in the order of their ids. */
export const listAccounts = async (
  table: Table,
  project: Pick<Project, "id" | "organization_id">,
  { limit, cursor, assigned_only, include_ignored }: ListParameters,
) => {
  const definitions = await definitionsOf(table, project.id);
  const results: ReturnType<typeof accountRow>[] = [];
  let after = cursor;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += STEP) {
    const from = after === null ? {} : { from: after };
    const { items, cursor: more } = await page(table, Accounts, "key", { project_id: project.id }, { ...from, limit: STEP });
    const last = after;
    const rest = items.filter(({ id }) => last === null || id > last);
    const members = await membersAmong(table, project.organization_id, await assignedUsers(table, rest));
    for (const [at, account] of rest.entries()) {
      after = account.id;
      const row = accountRow(account, definitions, members);
      const isWanted =
        account.external_id !== "" &&
        (include_ignored || account.ignored_at === null) &&
        (!assigned_only || Object.keys(row.relationships).length > 0);
      if (!isWanted) continue;
      results.push(row);
      if (results.length === limit) return { results, next_cursor: at < rest.length - 1 || more !== null ? after : null };
    }
    if (more === null) return { results, next_cursor: null };
  }
  return { results, next_cursor: after };
};
