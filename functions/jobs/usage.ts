import { evaluateQuotas } from "../../lib/billing/quotas.ts";
import type { Job } from "../../lib/jobs/jobs.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import { foldUsage } from "../../lib/lake/usage.ts";
import { organizationOfProject } from "../../lib/projects/projects.ts";
import { deleteOldRollUps } from "../../lib/usage/roll-ups.ts";
import type { JobWorld } from "./world.ts";

/**
 * Brings a project's counts into its organization's usage, and sees whether that is too much; with those of all partitions, what was left
 * lying there goes, too.
 */
export const usageJob = async (world: JobWorld, policy: Policy, job: Pick<Job<"usage">, "project" | "partition">): Promise<void> => {
  const organization = await organizationOfProject(world.table)(job.project);
  if (organization === undefined) return;
  await foldUsage(world, { organization, project: job.project, partition: job.partition });
  await evaluateQuotas(world, organization);
  if (job.partition === undefined) await deleteOldRollUps(world, policy.orphanAgeMs, organization);
};
