import * as z from "zod";
import { isoBrief } from "../../lib/core/time.ts";
import type { Window } from "../../lib/http/pagination.ts";
import { finishRemoval } from "../../lib/organizations/blocked-members.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import type { Organization } from "../../lib/organizations/organizations.ts";
import { UserSummary } from "../../lib/organizations/user-summary.ts";
import { Users } from "../../lib/organizations/users.ts";
import type { Table } from "../../lib/ports/table.ts";
import { readWindow } from "../../lib/table/paging.ts";
import { getMany } from "../../lib/table/store.ts";

export const MemberForm = z.object({ user: UserSummary, level: z.int(), joined_at: z.string() }).meta({ id: "OrganizationMember" });

/** A window of an organization's members in the order of their users' numbers, and how many there are. */
export const listMembers = async (
  table: Table,
  { id, removal_id }: Organization,
  window: Window,
): Promise<{ readonly count: number; readonly rows: readonly z.input<typeof MemberForm>[] }> => {
  if (removal_id !== null) await finishRemoval(table, id);
  const { count, items } = await readWindow(table, Memberships, "key", { organization_id: id }, window);
  const ids = items.map(({ user_id }) => ({ id: user_id }));
  const users = new Map((await getMany(table, Users, ids, { consistent: true })).map((user) => [user.id, user]));
  const rows = items.flatMap(({ user_id, level, joined_at }) => {
    const user = users.get(user_id);
    return user === undefined ? [] : [{ user, level, joined_at: isoBrief(joined_at) }];
  });
  return { count, rows };
};
