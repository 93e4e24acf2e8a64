import type { Clock } from "../ports/system.ts";
import { ConditionFailed, Conflict, type Table, type Write } from "../ports/table.ts";
import { itemKey } from "../table/entity.ts";
import { get, getMany, list, NotFound, pages, putting, removing, updating } from "../table/store.ts";
import { ABSENT, transact } from "../table/transact.ts";
import { untilWritten } from "../table/until-written.ts";
import { type Domain, Domains } from "./domains.ts";
import { type Membership, Memberships } from "./memberships.ts";
import { LEVELS, type Organization, Organizations } from "./organizations.ts";
import { ownershipWrites } from "./owned-organizations.ts";
import { Users } from "./users.ts";

/** Removals in one transaction, which also counts them on the organization. */
const AT_ONCE = 99;

/** Tries of a step that others were at, too: each failed try means that one of them went on. */
const TRIES = 50;

const NO_REMOVAL = {
  kind: "any",
  of: [
    { kind: "lacks", attribute: "removal_id" },
    { kind: "equals", attribute: "removal_id", value: null },
  ],
} as const;

/** The domain of an address, in lower case: what follows its first `@`. */
export const emailDomain = (email: string): string => email.slice(email.indexOf("@") + 1).toLowerCase();

/** The domains of an organization that are verified now. */
export const verifiedDomains = async (table: Table, organization: string): Promise<readonly Domain[]> => {
  const domains = await list(table, Domains, "key", { organization_id: organization }, { consistent: true });
  return domains.filter(({ verified_at }) => verified_at !== null);
};

/** What an organization may insist on. */
export interface Insisting {
  readonly domains: readonly string[];
  /** Holds whoever insists to be inside of the domains: the write that insists is made together with it. */
  readonly held: Write;
}

/** Whether a removal was decided that takes this member along: the membership counts for nothing, stored or not. */
export const isLeaving = (
  { removal_id, removal_domains }: Organization,
  { level }: Pick<Membership, "level">,
  email: string | undefined,
): boolean => removal_id !== null && level < LEVELS.owner && (email === undefined || !removal_domains.includes(emailDomain(email)));

/**
 * Removes every member but owners whose address is outside the verified domains and insists on them from then on, all or nothing:
 * the one write that decides names the domains whose members stay, readers take the others for removed, and nobody joins until
 * the memberships are deleted, by as many transactions as that takes. After a crash whoever comes next goes on. Gives the number
 * of members removed. `decide` is asked before each try, and may throw. Throws `NotFound` for an organization that is gone.
 */
export const removeBlockedMembers = async (
  table: Table,
  organization: string,
  decision: { readonly id: string; readonly at: string; readonly decide: () => Promise<Insisting> },
): Promise<number> => {
  for (let attempt = 1; ; attempt += 1) {
    // A removal that was broken off is somebody else's decision, over other domains perhaps: it is finished, then ours is made.
    const removed = await finishRemoval(table, organization);
    const { domains, held } = await decision.decide();
    const set = {
      enforce_verified_domains: true,
      removal_id: decision.id,
      removal_domains: [...domains],
      removal_count: 0,
      updated_at: decision.at,
    };
    try {
      await transact(table, [
        updating(
          Organizations,
          { id: organization },
          { set },
          { kind: "all", of: [{ kind: "equals", attribute: "state", value: "active" }, NO_REMOVAL] },
        ),
        held,
      ]);
    } catch (error) {
      if (!(error instanceof ConditionFailed || error instanceof Conflict) || attempt === TRIES) throw error;
      const found = await get(table, Organizations, { id: organization }, { consistent: true });
      if (found?.state !== "active") throw new NotFound("the organization was removed meanwhile");
      continue;
    }
    return removed + (await finishRemoval(table, organization));
  }
};

/** Deletes what a decided removal has left, and gives the number of members that it removed in all; 0 where none is under way. */
export const finishRemoval = (table: Table, organization: string): Promise<number> =>
  // Somebody else may be at it, or a member have just become an owner: then it is looked at again.
  untilWritten({ most: TRIES }, async () => {
    const found = await get(table, Organizations, { id: organization }, { consistent: true });
    if (found === undefined || found.removal_id === null) return 0;
    return deleteAll(table, found, await leavingMembers(table, found));
  });

const deleteAll = async (table: Table, organization: Organization, leaving: readonly Membership[]): Promise<number> => {
  let done = organization.removal_count;
  for (let at = 0; at < leaving.length || at === 0; at += AT_ONCE) {
    const some = leaving.slice(at, at + AT_ONCE);
    const isLast = at + AT_ONCE >= leaving.length;
    const still = {
      kind: "all",
      of: [
        { kind: "equals", attribute: "removal_id", value: organization.removal_id },
        { kind: "equals", attribute: "removal_count", value: done },
      ],
    } as const;
    const set = { removal_count: done + some.length, ...(isLast && { removal_id: null, removal_domains: [] }) };
    await transact(table, [
      updating(Organizations, { id: organization.id }, { set }, still),
      ...some.map(({ user_id, level }) =>
        removing(Memberships, { organization_id: organization.id, user_id }, { kind: "equals", attribute: "level", value: level }),
      ),
    ]);
    done += some.length;
  }
  return done;
};

const leavingMembers = async (table: Table, organization: Organization): Promise<readonly Membership[]> => {
  const leaving: Membership[] = [];
  for await (const members of pages(table, Memberships, "key", { organization_id: organization.id }, { consistent: true })) {
    const users = await getMany(
      table,
      Users,
      members.map(({ user_id }) => ({ id: user_id })),
      { consistent: true },
    );
    const emails = new Map(users.map(({ id, email }) => [id, email]));
    leaving.push(...members.filter((member) => isLeaving(organization, member, emails.get(member.user_id))));
  }
  return leaving;
};

/** Makes a user a member. Nobody joins between the decision to remove members and its end: the removal is finished first. */
export const join = async (parts: { readonly table: Table; readonly clock: Clock }, membership: Membership): Promise<void> => {
  const { table } = parts;
  const organization = { id: membership.organization_id };
  for (let attempt = 1; ; attempt += 1) {
    await finishRemoval(table, organization.id);
    try {
      const counted = await ownershipWrites(parts, membership.user_id, undefined, membership.level);
      return await transact(table, [
        putting(Memberships, membership, ABSENT),
        { kind: "check", key: itemKey(Organizations, organization), when: { kind: "all", of: [{ kind: "present" }, NO_REMOVAL] } },
        ...counted,
      ]);
    } catch (error) {
      const known = await get(table, Memberships, { organization_id: organization.id, user_id: membership.user_id }, { consistent: true });
      if (known !== undefined) return;
      if (!(error instanceof ConditionFailed || error instanceof Conflict) || attempt === TRIES) throw error;
    }
  }
};
