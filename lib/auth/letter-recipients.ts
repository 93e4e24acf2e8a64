import { isLeaving } from "../organizations/blocked-members.ts";
import { type Membership, Memberships } from "../organizations/memberships.ts";
import type { Organization } from "../organizations/organizations.ts";
import { Users } from "../organizations/users.ts";
import { MOST_RECIPIENTS } from "../ports/mail.ts";
import type { Table } from "../ports/table.ts";
import { getMany, pages } from "../table/store.ts";
import { isBlocked } from "./membership.ts";

/**
 * The addresses of an organization's members whom a letter is for, the highest level first, as many as one letter takes. Who is
 * deactivated, or whom the organization keeps out, is told nothing.
 */
export const readRecipients = async (
  table: Table,
  organization: Organization,
  isFor: (membership: Membership) => boolean,
): Promise<readonly string[]> => {
  const meant: Membership[] = [];
  for await (const members of pages(table, Memberships, "key", { organization_id: organization.id })) meant.push(...members.filter(isFor));
  meant.sort((a, b) => b.level - a.level || a.user_id - b.user_id);
  const byUser = new Map(meant.slice(0, MOST_RECIPIENTS).map((membership) => [membership.user_id, membership]));
  const users = await getMany(
    table,
    Users,
    [...byUser.keys()].map((id) => ({ id })),
  );
  const open = await Promise.all(
    users.map(async (user) => {
      const membership = byUser.get(user.id);
      if (!user.is_active || membership === undefined || isLeaving(organization, membership, user.email)) return false;
      return !(await isBlocked(table, organization, user));
    }),
  );
  const order = [...byUser.keys()];
  return users
    .filter((_, at) => open[at])
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .map(({ email }) => email);
};
