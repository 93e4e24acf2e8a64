import { base62 } from "../../../lib/keys/credential.ts";
import { join } from "../../../lib/organizations/blocked-members.ts";
import { Memberships } from "../../../lib/organizations/memberships.ts";
import { LEVELS } from "../../../lib/organizations/organizations.ts";
import { ownershipWrites } from "../../../lib/organizations/owned-organizations.ts";
import { emailMarker, type User, Users } from "../../../lib/organizations/users.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { nextNumber } from "../../../lib/table/sequence.ts";
import * as store from "../../../lib/table/store.ts";
import { ABSENT, transact } from "../../../lib/table/transact.ts";
import type { MemberEntry } from "./document.ts";
import { once, readHolder } from "./once.ts";
import { isoNow, type Parts } from "./parts.ts";
import { differing } from "./same.ts";

/** The user with this address, or undefined. */
export const findUser = async (table: Table, email: string): Promise<User | undefined> => {
  const id = await readHolder(table, emailMarker(email));
  return id === undefined ? undefined : store.get(table, Users, { id: Number(id) }, { consistent: true });
};

/** The user of a member entry, made or brought up to date. */
export const ensureUser = async (parts: Parts, entry: MemberEntry): Promise<User> => {
  const { email, first_name, last_name, role_at_organization, is_email_verified } = entry;
  const user = (await findUser(parts.table, email)) ?? (await makeUser(parts, entry));
  const changes = differing<User>(user, {
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(role_at_organization !== undefined && { role_at_organization }),
    ...(is_email_verified !== undefined && { is_email_verified }),
  });
  return changes ? store.update(parts.table, Users, { id: user.id }, { set: changes }) : user;
};

const makeUser = async (parts: Parts, entry: MemberEntry): Promise<User> => {
  const { table, ids } = parts;
  const user: User = {
    id: await nextNumber(table, "user"),
    uuid: ids.uuid(),
    distinct_id: base62(ids.secret(32)),
    email: entry.email,
    first_name: entry.first_name ?? "",
    last_name: entry.last_name ?? "",
    role_at_organization: entry.role_at_organization ?? "",
    is_email_verified: entry.is_email_verified ?? false,
    hedgehog_config: {},
    is_active: true,
    created_at: isoNow(parts),
  };
  const { owner } = await once(table, emailMarker(entry.email), String(user.id), [store.putting(Users, user, ABSENT)]);
  return owner === String(user.id) ? user : store.require(table, Users, { id: Number(owner) }, { consistent: true });
};

/** The user's membership, made or brought to the stated level. */
export const ensureMembership = async (parts: Parts, organization: string, user: number, entry: MemberEntry): Promise<void> => {
  const { table } = parts;
  const key = { organization_id: organization, user_id: user };
  const level = entry.level && LEVELS[entry.level];
  const membership = await store.get(table, Memberships, key, { consistent: true });
  if (membership === undefined) {
    await join(parts, { ...key, level: level ?? LEVELS.member, joined_at: isoNow(parts) });
  } else if (level !== undefined && level !== membership.level) {
    const unchanged = { kind: "equals", attribute: "level", value: membership.level } as const;
    const counted = await ownershipWrites(parts, user, membership.level, level);
    await transact(table, [store.updating(Memberships, key, { set: { level } }, unchanged), ...counted]);
  }
};
