import { faultText } from "../../lib/core/unreachable.ts";
import { settleIssues } from "../../lib/error-tracking/settle-issues.ts";
import type { Budget } from "../../lib/ports/system.ts";
import type { JobWorld } from "./world.ts";

/** Nothing further is begun when less than this is left. */
const BEGIN_WITH_MS = 30_000;

/** Moves what merging issues has left to be moved. False when it failed or time is up: its message comes again. */
export const settleIssuesJob = async (
  { table, log }: Pick<JobWorld, "table" | "log">,
  project: number,
  budget: Budget,
): Promise<boolean> => {
  try {
    return await settleIssues({ table }, project, () => budget.remainingMs() >= BEGIN_WITH_MS);
  } catch (thrown) {
    log.line("error", "job_failed", { project, kind: "settle-issues", error: faultText(thrown) });
    return false;
  }
};
