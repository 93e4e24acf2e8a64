import { compact } from "../../lib/lake/compact.ts";
import { JOB_FORMAT, type LakeJob } from "../../lib/lake/jobs.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { JobWorld } from "./world.ts";

/**
 * Compacts one partition, and when its files changed asks for the project's usage to be added up. The request is sent again when
 * the message is: a job that died between its swap and the request is delivered again.
 */
export const compactJob = async (
  world: JobWorld,
  policy: Policy,
  job: Extract<LakeJob, { kind: "compact" }>,
  attempts: number,
): Promise<void> => {
  const { swaps } = await compact({ ...world, rowFiles: world.engine.rowFiles }, policy, job);
  if (swaps === 0 && attempts === 1) return;
  const usage: LakeJob = { v: JOB_FORMAT, kind: "usage", project: job.project, partition: job.partition };
  const failed = await world.queues.send("jobs", [{ id: "usage", body: JSON.stringify(usage) }]);
  if (failed.length > 0) throw new Error("the queue did not take the request to add up usage");
};
