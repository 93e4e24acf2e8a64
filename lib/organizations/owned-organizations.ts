import type { Clock } from "../ports/system.ts";
import type { Table, Write } from "../ports/table.ts";
import { type BoundedList, countingIn } from "../table/bounded-list.ts";
import { keyIn } from "../table/partitions.ts";
import { getMany, list, pages } from "../table/store.ts";
import { type Membership, Memberships } from "./memberships.ts";
import { LEVELS, Organizations } from "./organizations.ts";

interface Parts {
  readonly table: Table;
  readonly clock: Clock;
}

/** Organizations that one person may own. */
const MOST_ORGANIZATIONS = 20;

/** The organizations of which a person is an owner, those that are removed left out. */
export const ownedOrganizations = (user: number): BoundedList => ({
  counter: keyIn("ownedOrganizationCount", "count", { user }),
  most: MOST_ORGANIZATIONS,
  full: `You own ${MOST_ORGANIZATIONS} organizations, which is as many as one person may. Delete one first.`,
  recount: (table) => countOwned(table, user),
});

const countOwned = async (table: Table, user_id: number): Promise<number> => {
  const joined = await list(table, Memberships, "ofUser", { user_id });
  const ids = joined.filter(isOwner).map(({ organization_id }) => ({ id: organization_id }));
  const organizations = await getMany(table, Organizations, ids, { consistent: true });
  return organizations.filter(({ state }) => state === "active").length;
};

const isOwner = ({ level }: Pick<Membership, "level">): boolean => level === LEVELS.owner;

/** Owners that one removal counts: a transaction has no room for more. What the others own is counted anew once it seems too much. */
const MOST_COUNTED = 90;

/** The writes by which the removal of an organization counts for its owners. */
export const disownWrites = async (parts: Parts, organization_id: string): Promise<readonly Write[]> => {
  const owners: number[] = [];
  for await (const members of pages(parts.table, Memberships, "key", { organization_id }, { consistent: true }))
    owners.push(...members.filter(isOwner).map(({ user_id }) => user_id));
  return Promise.all(owners.slice(0, MOST_COUNTED).map((user) => countingIn(parts, ownedOrganizations(user), -1)));
};

/** The write by which a membership counts that gets another level; none where its user stays, or stays no, owner. */
export const ownershipWrites = async (
  parts: Parts,
  user: number,
  before: Membership["level"] | undefined,
  after: Membership["level"],
): Promise<readonly Write[]> => {
  const by = Number(after === LEVELS.owner) - Number(before === LEVELS.owner);
  return by === 0 ? [] : [await countingIn(parts, ownedOrganizations(user), by)];
};
