import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import { removeBlockedMembers } from "../../lib/organizations/blocked-members.ts";
import type { Organization } from "../../lib/organizations/organizations.ts";
import { checkEnforcement } from "./enforcement.ts";

export const RemovedMembers = z
  .object({ success: z.literal(true), removed_count: z.int(), enforce_verified_domains: z.literal(true) })
  .meta({ id: "OrganizationRemoveBlockedMembersResponse" });

/** Removes everybody whom the setting would keep out, and turns it on. */
export const removeBlockedAndEnforce = async (
  { table, ids, clock }: Pick<World, "table" | "ids" | "clock">,
  organization: Organization,
  user: { readonly email: string },
): Promise<z.input<typeof RemovedMembers>> => {
  const domains = await checkEnforcement(table, organization.id, user.email);
  const at = new Date(clock.now()).toISOString();
  const removed_count = await removeBlockedMembers(table, organization.id, { id: ids.uuid(), domains, at });
  return { success: true, removed_count, enforce_verified_domains: true };
};
