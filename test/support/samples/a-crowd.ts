import type { World } from "../../../lib/app/world.ts";
import { Memberships } from "../../../lib/organizations/memberships.ts";
import { LEVELS, type Organization } from "../../../lib/organizations/organizations.ts";
import { put } from "../../../lib/table/store.ts";

/** More than a list is read of as a whole. */
const CROWD = 10_001;
const FIRST_USER = 1_000_000;

/** Gives an organization more members than any list is read of as a whole, and says how many. */
export const aCrowd = async (world: World, { id, created_at }: Organization): Promise<number> => {
  const member = { organization_id: id, level: LEVELS.member, joined_at: created_at };
  for (let at = 0; at < CROWD; at += 1) await put(world.table, Memberships, { ...member, user_id: FIRST_USER + at });
  return CROWD;
};
