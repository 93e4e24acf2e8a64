import type { World } from "../../lib/app/world.ts";
import { faultText } from "../../lib/core/unreachable.ts";
import { removeUnnamedTables } from "../../lib/endpoints/table-files.ts";
import type { Job } from "../../lib/jobs/jobs.ts";

/** Deletes what a version whose table was switched off has left. False when it failed: its message comes again. */
export const tableFilesJob = async (
  { table, objects, log }: Pick<World, "table" | "objects" | "log">,
  job: Job<"table">,
): Promise<boolean> => {
  try {
    await removeUnnamedTables({ table, objects }, job);
    return true;
  } catch (thrown) {
    log.line("error", "job_failed", { project: job.project, kind: job.kind, error: faultText(thrown) });
    return false;
  }
};
