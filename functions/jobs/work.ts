import { unreachable } from "../../lib/core/unreachable.ts";
import type { Policy } from "../../lib/lake/catalogue/policy.ts";
import { JOB_FORMAT, type LakeJob } from "../../lib/lake/compaction/jobs.ts";
import { deleteRemoved } from "../../lib/lake/compaction/removal.ts";
import type { Budget } from "../../lib/ports/budget.ts";
import { auditJob } from "./audit.ts";
import { compactJob } from "./compact.ts";
import { deleteProject } from "./project-removal.ts";
import { recountJob } from "./recount.ts";
import { usageJob } from "./usage.ts";
import type { JobWorld } from "./world.ts";

/** Left for the rest of a removal, which goes on with the next message. */
const RESERVE_MS = 120_000;

/** Does one job of the lake. Throws where its message should be delivered again. */
export const work = async (world: JobWorld, policy: Policy, job: LakeJob, budget: Budget): Promise<void> => {
  switch (job.kind) {
    case "compact":
      return compactJob(world, policy, job);
    case "fold":
      return (await loadFold()).foldJob(world, policy, job, budget);
    case "usage":
      return usageJob(world, policy, job);
    case "audit":
      return auditJob(world, policy, job.project);
    case "recount":
      return recountJob(world, job.project);
    case "remove":
      // What was stored until then is owed for, and can be counted only while its manifests are there.
      await usageJob(world, policy, { v: JOB_FORMAT, kind: "usage", project: job.project });
      // A drain that was under way when the project was closed may have left issues of its exceptions.
      if (!(await deleteProject(world.table, job.project, () => budget.remainingMs() > RESERVE_MS))) return;
      return deleteRemoved(world, policy, job.project);
    default:
      return unreachable(job);
  }
};

/** Only this job reads and writes Parquet itself, and the registry is read by many that never run it. */
const loadFold = () => import("./fold.ts");
