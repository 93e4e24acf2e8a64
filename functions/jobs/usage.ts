import { Projects } from "../../lib/entities/projects.ts";
import type { LakeJob } from "../../lib/lake/jobs.ts";
import { foldUsage } from "../../lib/lake/usage.ts";
import { get } from "../../lib/table/store.ts";
import type { JobWorld } from "./world.ts";

/** Brings a project's counts into its organization's usage. A project that was never described counts for nobody. */
export const usageJob = async (world: JobWorld, job: Extract<LakeJob, { kind: "usage" }>): Promise<void> => {
  // A stale miss would lose the counts for good: nobody asks again until the partition changes.
  const project = await get(world.table, Projects, { id: job.project }, { consistent: true });
  if (project === undefined) return;
  await foldUsage(world, { organization: project.organization_id, project: job.project, partition: job.partition });
};
