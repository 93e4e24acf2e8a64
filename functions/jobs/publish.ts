import { publishProject } from "../../lib/iceberg/publish.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import { takePublishMarks } from "../../lib/lake/published.ts";
import type { JobWorld } from "./world.ts";

/** Publishes what swaps changed. Their marks go first: what a swap changes from then on leaves a mark of its own. */
export const publishJob = async (world: JobWorld, policy: Policy, project: number): Promise<void> => {
  await takePublishMarks(world.table, project);
  if (policy.publishEveryMs !== null) await publishProject(world, policy, project);
};
