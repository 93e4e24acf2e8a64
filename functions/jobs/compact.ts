import { compact } from "../../lib/lake/compact.ts";
import { JOB_FORMAT, type LakeJob } from "../../lib/lake/jobs.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { JobWorld } from "./world.ts";

/**
 * Compacts one partition and asks for the project's usage to be added up, also when there was nothing left to compact: the job that
 * did the work may have died before it asked, and with this job ends the last delivery of the message that it had.
 */
export const compactJob = async (world: JobWorld, policy: Policy, job: Extract<LakeJob, { kind: "compact" }>): Promise<void> => {
  const { outcome } = await compact({ ...world, rowFiles: world.engine.rowFiles }, policy, job);
  if (outcome === "removed") return;
  const usage: LakeJob = { v: JOB_FORMAT, kind: "usage", project: job.project, partition: job.partition };
  const failed = await world.queues.send("jobs", [{ id: "usage", body: JSON.stringify(usage) }]);
  if (failed.length > 0) throw new Error("the queue did not take the request to add up usage");
};
