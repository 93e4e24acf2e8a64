import { type Job, sendAllJobs } from "../../lib/jobs/jobs.ts";
import { finishRemovals } from "../../lib/lake/finish-removals.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { auditJob } from "./audit.ts";
import { usageJob } from "./usage.ts";
import type { JobWorld } from "./world.ts";

/** No further step is begun when less than this is left: the largest takes a third of it. */
const BEGIN_WITH_MS = 120_000;

/**
 * Finishes removals of rows: goes on with those that were cut off, takes the rows out of all bytes that the catalogue names, and counts the
 * project's usage anew. What there is no time for is asked for again at once.
 */
export const rowRemovalJob = async (world: JobWorld, policy: Policy, job: Job<"remove-rows">, budget: Budget): Promise<void> => {
  const within: Budget = { remainingMs: () => budget.remainingMs() - BEGIN_WITH_MS };
  const outcome = await finishRemovals({ ...world, rowFiles: world.engine.rowFiles }, policy, job.project, within, (short) =>
    auditJob(world, short, job.project),
  );
  if (outcome === "removed") return;
  await usageJob(world, policy, { project: job.project });
  if (outcome === "more") await sendAllJobs(world.queues, [job]);
};
