import { sendAllJobs } from "../../lib/jobs/jobs.ts";
import { audit } from "../../lib/lake/audit.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import { forgetPublications } from "../../lib/lake/published.ts";
import type { JobWorld } from "./world.ts";

/** Deletes what nobody names, and asks for the work that was given up and that nobody reminds of any more. */
export const auditJob = async (world: JobWorld, policy: Policy, project: number): Promise<void> => {
  if (policy.publishEveryMs === null) await forgetPublications(world.table, project);
  const unsealed = await audit(world, policy, project, async () => (await loadPublished()).publishedKeys(world, project));
  await sendAllJobs(
    world.queues,
    unsealed.map((partition) => ({ kind: "compact", project, partition, upTo: "", seal: true })),
  );
};

/** Few stages publish. */
const loadPublished = () => import("../../lib/iceberg/published-keys.ts");
