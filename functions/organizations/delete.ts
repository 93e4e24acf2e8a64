import type { World } from "../../lib/app/world.ts";
import { forgetCallers } from "../../lib/auth/callers.ts";
import { hasActiveSubscription } from "../../lib/billing/plans.ts";
import { invalid, notFound } from "../../lib/http/errors.ts";
import type { Organization } from "../../lib/organizations/organizations.ts";
import { removeOrganization } from "../../lib/organizations/removal.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";

/** Removes an organization with all that belongs to it; one that pays for something says so first. */
export const deleteOrganization = async ({ table, clock }: Pick<World, "table" | "clock">, organization: Organization): Promise<void> => {
  if (await hasActiveSubscription(table, organization.id))
    throw invalid(null, "This organization has an active subscription. Cancel the subscription first, by POST /api/billing/deactivate/.");
  try {
    await removeOrganization(table, organization, clock.now());
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound();
    throw error;
  }
  // This process knows now; others know within half a minute.
  forgetCallers(table);
};
