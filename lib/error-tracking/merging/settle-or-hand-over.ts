import { faultText } from "../../core/unreachable.ts";
import { sendAllJobs } from "../../jobs/jobs.ts";
import type { Ports } from "../../ports/ports.ts";
import { settleIssues } from "../settle-issues.ts";

/** As much of a request's time as moving may take, milliseconds: the gateway ends at 29,000. */
const MOST_MS = 15_000;

/**
 * Moves what is to be moved, or has a job go on where it takes too long. True when all is moved. With `merged` only what these issues
 * have: of a hundred merges at once each would do the work of all.
 */
export const settleOrHandOver = async (
  parts: Pick<Ports, "table" | "clock" | "queues" | "log">,
  project: number,
  merged?: ReadonlySet<string>,
): Promise<boolean> => {
  const until = parts.clock.now() + MOST_MS;
  if (await isSettled(parts, project, () => parts.clock.now() < until, merged)) return true;
  await sendAllJobs(parts.queues, [{ kind: "settle-issues", project }]);
  return false;
};

/** The answer is right whether or not all is moved by then: a fault here is the job's to meet again. */
const isSettled = async (
  parts: Pick<Ports, "table" | "log">,
  project: number,
  mayGoOn: () => boolean,
  merged: ReadonlySet<string> | undefined,
): Promise<boolean> => {
  try {
    return await settleIssues(parts, project, mayGoOn, merged);
  } catch (error) {
    parts.log.line("warn", "issues.unsettled", { project, error: faultText(error) });
    return false;
  }
};
