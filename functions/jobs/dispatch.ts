import type { World } from "../../lib/app/world.ts";
import { faultText, unreachable } from "../../lib/core/unreachable.ts";
import { type Job, type LakeJob, readJob } from "../../lib/jobs/jobs.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { Delivery } from "../../lib/ports/queues.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { auditJob } from "./audit.ts";
import { compactJob } from "./compact.ts";
import { attemptLakeJob } from "./lake-attempt.ts";
import { recountJob } from "./recount.ts";
import { organizationRemovalJob } from "./remove-organization.ts";
import { projectRemovalJob } from "./remove-project.ts";
import { resolveFramesJob } from "./resolve-frames.ts";
import { settleIssuesJob } from "./settle-issues.ts";
import { tableFilesJob } from "./table-files.ts";
import { usageJob } from "./usage.ts";

/** Does the job that a message asks for. False where the message is to be delivered again, and in the end goes to the dead letters. */
export const dispatch = async (world: World, policy: Policy, delivery: Delivery, budget: Budget): Promise<boolean> => {
  let job: Job;
  try {
    job = readJob(delivery.body);
  } catch (thrown) {
    world.log.line("error", "job_unreadable", { attempts: delivery.attempts, error: faultText(thrown) });
    return false;
  }
  const ofLake = (of: LakeJob, work: () => Promise<void>): Promise<boolean> =>
    attemptLakeJob(world, policy, { job: of, attempts: delivery.attempts }, work);
  switch (job.kind) {
    case "compact":
      return ofLake(job, () => compactJob(world, policy, job));
    case "fold":
      return ofLake(job, async () => (await loadFold()).foldJob(world, policy, job, budget));
    case "usage":
      return ofLake(job, () => usageJob(world, policy, job));
    case "audit":
      return ofLake(job, () => auditJob(world, policy, job.project, budget));
    case "recount":
      return ofLake(job, () => recountJob(world, job.project));
    case "publish":
      return ofLake(job, async () => (await loadPublish()).publishJob(world, policy, job.project));
    case "remove-rows":
      return ofLake(job, async () => (await loadRemoval()).rowRemovalJob(world, policy, job, budget));
    case "remove":
      return ofLake(job, () => projectRemovalJob(world, policy, job.project, budget));
    case "table":
      return tableFilesJob(world, job);
    case "settle-issues":
      return settleIssuesJob(world, job.project, budget);
    case "resolve-frames":
      return resolveFramesJob(world, job, budget);
    case "remove-organization":
      return organizationRemovalJob(world, job.organization, budget);
    default:
      return unreachable(job);
  }
};

/** Only this job reads and writes Parquet itself, and the registry is read by many that never run it. */
const loadFold = () => import("./fold.ts");

/** It folds, too. */
const loadRemoval = () => import("./remove-rows.ts");

/** Few stages publish, and those that do read and write Avro for it. */
const loadPublish = () => import("./publish.ts");
