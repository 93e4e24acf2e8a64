import type { LakeJob } from "../../lib/lake/jobs.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import { deleteOldRollUps } from "../../lib/lake/roll-ups.ts";
import { foldUsage, organizationOf } from "../../lib/lake/usage.ts";
import type { JobWorld } from "./world.ts";

/** Brings a project's counts into its organization's usage; with those of all partitions, what was left lying there goes, too. */
export const usageJob = async (world: JobWorld, policy: Policy, job: Extract<LakeJob, { kind: "usage" }>): Promise<void> => {
  const organization = await organizationOf(world, job.project);
  if (organization === undefined) return;
  await foldUsage(world, { organization, project: job.project, partition: job.partition });
  if (job.partition === undefined) await deleteOldRollUps(world, policy, organization);
};
