import { deleteRemovedOrganization, OrganizationRemoval } from "../../lib/entities/organizations/organization-removal.ts";
import type { Budget } from "../../lib/ports/budget.ts";
import type { Delivery } from "../../lib/ports/queues.ts";
import type { JobWorld } from "./world.ts";

/** The organization that a message asks to delete; undefined for every other message. */
export const organizationToDelete = ({ body }: Delivery): string | undefined => {
  try {
    return OrganizationRemoval.safeParse(JSON.parse(body)).data?.organization;
  } catch {
    return undefined;
  }
};

/** Deletes what belonged to a removed organization. False when it failed: its message comes again, and in an hour the sweep asks again. */
export const attemptRemoval = async ({ table, clock, log }: JobWorld, organization: string, budget: Budget): Promise<boolean> => {
  try {
    await deleteRemovedOrganization(table, organization, { now: clock.now(), budget });
    return true;
  } catch (thrown) {
    const error = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "unknown";
    log.line("error", "job_failed", { organization, kind: "remove-organization", error });
    return false;
  }
};
