import { invalid } from "../../lib/http/errors.ts";
import { domainOf, verifiedDomains } from "../../lib/organizations/blocked-members.ts";
import type { Table } from "../../lib/ports/table.ts";

const FIELD = "enforce_verified_domains";

/**
 * The verified domains of an organization that may insist on them. Throws 400 where there are none, and where whoever asks would
 * be kept out by their own decision.
 */
export const checkEnforcement = async (table: Table, organization: string, email: string): Promise<readonly string[]> => {
  const domains = await verifiedDomains(table, organization);
  if (domains.length === 0) throw invalid(FIELD, "This organization has no verified domain. Verify one first.");
  if (!domains.includes(domainOf(email)))
    throw invalid(
      FIELD,
      "Your own e-mail address is outside the verified domains, so you would lose access. Verify its domain first.",
      "would_block_self",
    );
  return domains;
};
