import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import { invalid } from "../../lib/http/errors.ts";
import { emailDomain, removeBlockedMembers, verifiedDomains } from "../../lib/organizations/blocked-members.ts";
import type { Organization } from "../../lib/organizations/organizations.ts";
import type { Table } from "../../lib/ports/table.ts";

const FIELD = "enforce_verified_domains";

/**
 * The verified domains of an organization that may insist on them. Throws 400 where there are none, and where whoever asks would
 * be kept out by their own decision.
 */
export const checkEnforcement = async (table: Table, organization: string, email: string): Promise<readonly string[]> => {
  const domains = await verifiedDomains(table, organization);
  if (domains.length === 0) throw invalid(FIELD, "This organization has no verified domain. Verify one first.");
  if (!domains.includes(emailDomain(email)))
    throw invalid(
      FIELD,
      "Your own e-mail address is outside the verified domains, so you would lose access. Verify its domain first.",
      "would_block_self",
    );
  return domains;
};

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
