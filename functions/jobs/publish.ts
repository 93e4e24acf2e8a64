import { publishProject } from "../../lib/iceberg/publish.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import { readPublications, takePublishMarks } from "../../lib/lake/published.ts";
import { currentRemovals, policyBeside } from "../../lib/lake/removals.ts";
import { registerTables } from "./registered-tables.ts";
import type { PublishWorld } from "./world.ts";

/** Publishes what swaps changed. Their marks go first: what a swap changes from then on leaves a mark of its own. */
export const publishJob = async (world: PublishWorld, policy: Policy, project: number): Promise<void> => {
  await takePublishMarks(world.table, project);
  if (policy.publishEveryMs === null) return;
  // Also where nothing was new: the run before this one may have failed here.
  const [removals, publications] = await Promise.all([currentRemovals(world, project), readPublications(world.table, project)]);
  const beside = policyBeside(policy, removals, publications);
  if ((await publishProject(world, beside, project)) !== "removed") await registerTables(world, project);
};
