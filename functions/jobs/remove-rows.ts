import type { World } from "../../lib/app/world.ts";
import { finishRemovalsOutsideLake, runPendingErasures } from "../../lib/erasure/pending-erasures.ts";
import { type Job, sendAllJobs } from "../../lib/jobs/jobs.ts";
import { finishRemovals } from "../../lib/lake/finish-removals.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import { readRemovals } from "../../lib/lake/removals-in-force.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { auditJob } from "./audit.ts";
import { usageJob } from "./usage.ts";

/** No further step is begun when less than this is left: the largest takes a third of it. */
const BEGIN_WITH_MS = 120_000;

/**
 * Erases who is to be erased, and finishes removals of rows: goes on with those that were cut off, takes the rows out of all bytes that the
 * catalogue names and out of what is kept beside it, and counts the project's usage anew. What there is no time for is asked for again at once.
 */
export const rowRemovalJob = async (world: World, policy: Policy, job: Job<"remove-rows">, budget: Budget): Promise<void> => {
  const { project } = job;
  const within: Budget = { remainingMs: () => budget.remainingMs() - BEGIN_WITH_MS };
  if ((await runPendingErasures(world, policy, project, within)) === "more") return sendAllJobs(world.queues, [job]);
  const wasOpen = ((await readRemovals(world, project))?.open.length ?? 0) > 0;
  const outcome = await finishRemovals({ ...world, rowFiles: world.engine.rowFiles }, policy, project, within, (short) =>
    auditJob(world, short, project, budget),
  );
  if (outcome === "removed") return;
  await usageJob(world, policy, { project });
  if (outcome === "more") return sendAllJobs(world.queues, [job]);
  // An operator's command does not know whether tables are published, so its swaps leave no mark that they are to be.
  if (policy.publishEveryMs !== null) await sendAllJobs(world.queues, [{ kind: "publish", project }]);
  await finishRemovalsOutsideLake(world, project, { wasOpen });
};
