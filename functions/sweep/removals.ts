import type { World } from "../../lib/app/world.ts";
import { sendJobs } from "../../lib/jobs/jobs.ts";
import { dueRemovals, postponeRemoval } from "../../lib/organizations/removal.ts";

/** Asks the jobs worker to go on with the removals of organizations that are not finished. */
export const askRemovals = async ({ table, queues, clock, log }: Pick<World, "table" | "queues" | "clock" | "log">): Promise<void> => {
  const now = clock.now();
  for (const organization of await dueRemovals(table, now)) {
    const unsent = await sendJobs(queues, [{ kind: "remove-organization", organization }]);
    if (unsent.length === 0) await postponeRemoval(table, organization, now);
    else log.line("warn", "removal_not_asked", { organization });
  }
};
