import type { Policy } from "../../lib/lake/catalogue/policy.ts";
import { compact } from "../../lib/lake/compaction/compact.ts";
import { JOB_FORMAT, type LakeJob } from "../../lib/lake/compaction/jobs.ts";
import { requeueRemainder } from "./requeue-remainder.ts";
import type { JobWorld } from "./world.ts";

/**
 * Compacts one partition, and asks for the project's usage to be added up as soon as rows are gathered: whatever becomes of the merges
 * that follow, what was gathered is counted. Asks to go on where its time was over before the work.
 */
export const compactJob = async (world: JobWorld, policy: Policy, job: Extract<LakeJob, { kind: "compact" }>): Promise<void> => {
  const { outcome } = await compact({ ...world, rowFiles: world.engine.rowFiles }, policy, job, () => askUsage(world, job));
  if (outcome === "more") await requeueRemainder(world, job);
};

/** A request that is lost is made again by the sweep, before it deletes the commits whose rows were counted. */
const askUsage = async (world: JobWorld, { project, partition }: Extract<LakeJob, { kind: "compact" }>): Promise<void> => {
  const usage: LakeJob = { v: JOB_FORMAT, kind: "usage", project, partition };
  try {
    const failed = await world.queues.send("jobs", [{ id: "usage", body: JSON.stringify(usage) }]);
    if (failed.length === 0) return;
  } catch {
    // Compaction goes on: it does not need the answer.
  }
  world.log.line("warn", "usage_not_asked", { project, partition });
};
