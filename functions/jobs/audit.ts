import type { Policy } from "../../lib/lake/catalogue/policy.ts";
import { audit } from "../../lib/lake/compaction/audit.ts";
import { JOB_FORMAT, type LakeJob } from "../../lib/lake/compaction/jobs.ts";
import type { JobWorld } from "./world.ts";

/** Deletes what nobody names, and asks for the work that was given up and that nobody reminds of any more. */
export const auditJob = async (world: JobWorld, policy: Policy, project: number): Promise<void> => {
  const unsealed = await audit(world, policy, project);
  if (unsealed.length === 0) return;
  const jobs = unsealed.map((partition): LakeJob => ({ v: JOB_FORMAT, kind: "compact", project, partition, upTo: "", seal: true }));
  const failed = await world.queues.send(
    "jobs",
    jobs.map((job, at) => ({ id: String(at), body: JSON.stringify(job) })),
  );
  if (failed.length > 0) throw new Error("the queue did not take every request to seal a partition");
};
