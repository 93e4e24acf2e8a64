import { type Job, sendAllJobs } from "../../lib/jobs/jobs.ts";
import { fold } from "../../lib/lake/fold-persons.ts";
import type { FoldSizes, Policy } from "../../lib/lake/policy.ts";
import type { Budget } from "../../lib/ports/system.ts";
import type { JobWorld } from "./world.ts";

/** No further fold is begun when less than this is left: the largest takes a third of it. */
const BEGIN_WITH_MS = 60_000;

/**
 * Folds a project's waiting deltas into its state, a bounded number at a time, until none are left or another job is at it. What there
 * is no time for is asked for again at once.
 */
export const foldJob = async (
  world: JobWorld,
  policy: Policy,
  job: Job<"fold">,
  budget: Budget,
  sizes: FoldSizes = policy.fold,
): Promise<void> => {
  for (;;) {
    const { left, dropped, outcome } = await fold(world, policy, job.project, sizes);
    if (dropped > 0) world.log.line("warn", "properties_dropped", { project: job.project, dropped });
    if (outcome !== "done" || left === 0) return;
    if (budget.remainingMs() < BEGIN_WITH_MS) return sendAllJobs(world.queues, [job]);
  }
};
