import type { PersonalCaller } from "../../lib/auth/callers.ts";
import { blocked, isBlocked } from "../../lib/auth/membership.ts";
import { notFound } from "../../lib/http/errors.ts";
import { isLeaving } from "../../lib/organizations/blocked-members.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import { LEVELS, Organizations } from "../../lib/organizations/organizations.ts";
import type { Table } from "../../lib/ports/table.ts";
import { getMany, list } from "../../lib/table/store.ts";
import type { Mine } from "./shown.ts";

/**
 * The caller's organizations in the order in which they joined, those of the key's restriction where it has one. Throws 404 for
 * a caller without any, and 403 where all of them keep the caller's address out.
 */
export const organizationsOf = async (table: Table, { user, key }: PersonalCaller): Promise<readonly Mine[]> => {
  const joined = await list(table, Memberships, "ofUser", { user_id: user.id });
  const covered = joined.filter(
    ({ organization_id }) => key.scoped_organizations.length === 0 || key.scoped_organizations.includes(organization_id),
  );
  const ids = covered.map(({ organization_id }) => ({ id: organization_id }));
  const organizations = new Map((await getMany(table, Organizations, ids, { consistent: true })).map((each) => [each.id, each]));
  const mine = covered.flatMap((membership): readonly Mine[] => {
    const organization = organizations.get(membership.organization_id);
    if (organization?.state !== "active" || isLeaving(organization, membership, user.email)) return [];
    return [{ organization, membership }];
  });
  if (mine.length === 0) throw notFound();
  const closed = await Promise.all(
    mine.map(({ organization, membership }) => membership.level < LEVELS.owner && isBlocked(table, organization, user)),
  );
  const open = mine.filter((_, at) => !closed[at]);
  if (open.length === 0) throw blocked();
  return open;
};
