import { forgetCallers } from "../../lib/auth/callers.ts";
import { Subscriptions } from "../../lib/entities/billing/subscriptions.ts";
import { removeOrganization } from "../../lib/entities/organizations/organization-removal.ts";
import type { Organization } from "../../lib/entities/organizations/organizations.ts";
import { invalid, notFound } from "../../lib/http/errors.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import { get } from "../../lib/table/store.ts";
import type { World } from "../../lib/world/world.ts";

/** Removes an organization with all that belongs to it; one that pays for something says so first. */
export const deleteOrganization = async ({ table, clock }: Pick<World, "table" | "clock">, organization: Organization): Promise<void> => {
  const subscription = await get(table, Subscriptions, { organization_id: organization.id }, { consistent: true });
  if (subscription?.state === "active")
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
