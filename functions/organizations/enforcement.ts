import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import { invalid } from "../../lib/http/errors.ts";
import { emailDomain, type Insisting, removeBlockedMembers, verifiedDomains } from "../../lib/organizations/blocked-members.ts";
import { asRead, Domains } from "../../lib/organizations/domains.ts";
import type { Organization } from "../../lib/organizations/organizations.ts";
import type { Table } from "../../lib/ports/table.ts";
import { itemKey } from "../../lib/table/entity.ts";

const FIELD = "enforce_verified_domains";

/**
 * The verified domains of an organization that may insist on them. Throws 400 where there are none, and where whoever asks would
 * be kept out by their own decision.
 */
export const checkEnforcement = async (table: Table, organization: string, email: string): Promise<Insisting> => {
  const domains = await verifiedDomains(table, organization);
  if (domains.length === 0) throw invalid(FIELD, "This organization has no verified domain. Verify one first.");
  const own = domains.find(({ domain }) => domain === emailDomain(email));
  if (own === undefined)
    throw invalid(
      FIELD,
      "Your own e-mail address is outside the verified domains, so you would lose access. Verify its domain first.",
      "would_block_self",
    );
  return { domains: domains.map(({ domain }) => domain), held: { kind: "check", key: itemKey(Domains, own), when: asRead(own) } };
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
  const decide = () => checkEnforcement(table, organization.id, user.email);
  const at = new Date(clock.now()).toISOString();
  const removed_count = await removeBlockedMembers(table, organization.id, { id: ids.uuid(), at, decide });
  return { success: true, removed_count, enforce_verified_domains: true };
};
