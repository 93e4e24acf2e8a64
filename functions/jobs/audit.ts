import { sendAllJobs } from "../../lib/jobs/jobs.ts";
import { audit } from "../../lib/lake/audit.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { JobWorld } from "./world.ts";

/** Deletes what nobody names, and asks for the work that was given up and that nobody reminds of any more. */
export const auditJob = async (world: JobWorld, policy: Policy, project: number): Promise<void> => {
  const unsealed = await audit(world, policy, project);
  await sendAllJobs(
    world.queues,
    unsealed.map((partition) => ({ kind: "compact", project, partition, upTo: "", seal: true })),
  );
};
