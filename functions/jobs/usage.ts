import { organizationOfProject } from "../../lib/entities/projects.ts";
import type { Policy } from "../../lib/lake/catalogue/policy.ts";
import type { LakeJob } from "../../lib/lake/compaction/jobs.ts";
import { deleteOldRollUps } from "../../lib/lake/usage/roll-ups.ts";
import { foldUsage } from "../../lib/lake/usage/usage.ts";
import type { JobWorld } from "./world.ts";

/** Brings a project's counts into its organization's usage; with those of all partitions, what was left lying there goes, too. */
export const usageJob = async (world: JobWorld, policy: Policy, job: Extract<LakeJob, { kind: "usage" }>): Promise<void> => {
  const organization = await organizationOfProject(world.table)(job.project);
  if (organization === undefined) return;
  await foldUsage(world, { organization, project: job.project, partition: job.partition });
  if (job.partition === undefined) await deleteOldRollUps(world, policy, organization);
};
