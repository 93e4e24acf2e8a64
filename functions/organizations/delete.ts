import { forgetCallers } from "../../lib/auth/callers.ts";
import { removeOrganization } from "../../lib/entities/organizations/organization-removal.ts";
import type { Organization } from "../../lib/entities/organizations/organizations.ts";
import { notFound } from "../../lib/http/errors.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import type { World } from "../../lib/world/world.ts";

/** Removes an organization with all that belongs to it. */
export const deleteOrganization = async ({ table, clock }: Pick<World, "table" | "clock">, organization: Organization): Promise<void> => {
  try {
    await removeOrganization(table, organization, clock.now());
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound();
    throw error;
  }
  // This process knows now; others know within half a minute.
  forgetCallers(table);
};
