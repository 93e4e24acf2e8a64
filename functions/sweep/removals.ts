import type { World } from "../../lib/app/world.ts";
import { dueRemovals, type OrganizationRemoval, putOffRemoval } from "../../lib/organizations/removal.ts";

/** Asks the jobs worker to go on with the removals of organizations that are not finished. */
export const askRemovals = async ({ table, queues, clock, log }: Pick<World, "table" | "queues" | "clock" | "log">): Promise<void> => {
  const now = clock.now();
  for (const organization of await dueRemovals(table, now)) {
    const job: OrganizationRemoval = { v: 1, kind: "remove-organization", organization };
    const failed = await queues.send("jobs", [{ id: "removal", body: JSON.stringify(job) }]);
    if (failed.length === 0) await putOffRemoval(table, organization, now);
    else log.line("warn", "removal_not_asked", { organization });
  }
};
