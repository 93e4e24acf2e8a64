import { type Job, sendAllJobs, sendJobs } from "../../lib/jobs/jobs.ts";
import { compact } from "../../lib/lake/compact.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { JobWorld } from "./world.ts";

/**
 * Compacts one partition, and asks for the project's usage to be added up as soon as rows are gathered: whatever becomes of the merges
 * that follow, what was gathered is counted. Asks others for their shares where there is too much to merge for one, and for itself to
 * go on where its time was over before the work.
 */
export const compactJob = async (world: JobWorld, policy: Policy, job: Job<"compact">): Promise<void> => {
  const { project, partition } = job;
  const result = await compact({ ...world, rowFiles: world.engine.rowFiles }, policy, job, {
    gathered: () => askUsage(world, job),
    shared: (of) => sendAllJobs(world.queues, otherShares(project, partition, of)),
  });
  if (result.outcome === "more") await sendAllJobs(world.queues, [{ ...result.rest, kind: "compact" }]);
};

/** They gather nothing. */
const otherShares = (project: number, partition: string, of: number): readonly Job<"compact">[] =>
  Array.from({ length: of - 1 }, (_, before) => ({
    ...{ kind: "compact", project, partition, upTo: "", seal: false },
    share: { at: before + 1, of },
  }));

/** A request that is lost is made again by the sweep, before it deletes the commits whose rows were counted. */
const askUsage = async (world: JobWorld, { project, partition }: Job<"compact">): Promise<void> => {
  try {
    const unsent = await sendJobs(world.queues, [{ kind: "usage", project, partition }]);
    if (unsent.length === 0) return;
  } catch {
    // Compaction goes on: it does not need the answer.
  }
  world.log.line("warn", "usage_not_asked", { project, partition });
};
