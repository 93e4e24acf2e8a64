import type { LakeJob } from "../../lib/lake/compaction/jobs.ts";
import type { JobWorld } from "./world.ts";

/** Queues the rest of a job whose time was over before its work: the sweep asks ever more rarely for what it asked for before. */
export const requeueRemainder = async ({ queues }: Pick<JobWorld, "queues">, job: LakeJob): Promise<void> => {
  const failed = await queues.send("jobs", [{ id: job.kind, body: JSON.stringify(job) }]);
  if (failed.length > 0) throw new Error("the queue did not take the request to go on");
};
