import { Unavailable } from "../../lib/core/unavailable.ts";
import { faultText } from "../../lib/core/unreachable.ts";
import type { LakeJob } from "../../lib/jobs/jobs.ts";
import { type Failure, forgetFailure, readFailure, recordFailure } from "../../lib/lake/failures.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { JobWorld } from "./world.ts";

/** Nobody is left to say more when the platform ends a function. */
const SILENT = "an earlier delivery ended without a word: most likely out of memory or out of time";

/**
 * Does a job of the lake, which `work` is. False when it failed: then it is remembered with the project, the sweep asks for it again at a later
 * time each time, and the message goes on to the dead letters, which is what rings the bell. A message that comes again before that
 * time is not worked; one that comes again though nothing is remembered was killed, which is written down before it may be killed again.
 */
export const attemptLakeJob = async (
  world: JobWorld,
  policy: Policy,
  { job, attempts }: { readonly job: LakeJob; readonly attempts: number },
  work: () => Promise<void>,
): Promise<boolean> => {
  let failure: Failure | undefined;
  try {
    failure = await readFailure(world.table, job);
    if (attempts > 1) {
      if (failure !== undefined && world.clock.now() < failure.againAt && !mayHavePassed(failure)) return false;
      if (failure === undefined || world.clock.now() >= failure.againAt) {
        failure = await recordFailure(world, policy, job, failure, SILENT);
        complain(world, job, failure.attempts, SILENT);
      }
    }
    await work();
    if (failure !== undefined) await forgetFailure(world.table, job);
    return true;
  } catch (thrown) {
    // The platform ends, and the job is no worse for that.
    if (thrown instanceof Unavailable) return false;
    await fail(world, policy, job, failure, faultText(thrown));
    return false;
  }
};

/** A job that failed for the first time, and said how, is tried again whenever its message comes: most of it passes in seconds. */
const mayHavePassed = ({ attempts, error }: Failure): boolean => attempts === 1 && error !== SILENT;

const fail = async (world: JobWorld, policy: Policy, job: LakeJob, before: Failure | undefined, error: string): Promise<void> => {
  try {
    const { attempts } = await recordFailure(world, policy, job, before, error);
    complain(world, job, attempts, error);
  } catch (thrown) {
    // The table is what fails: the line has to do, and the message comes again.
    complain(world, job, (before?.attempts ?? 0) + 1, `${error}; not remembered: ${faultText(thrown)}`);
  }
};

const complain = (world: JobWorld, job: LakeJob, attempts: number, error: string): void => {
  const { project, kind } = job;
  const partition = "partition" in job ? job.partition : undefined;
  world.log.line("error", "job_failed", { project, kind, ...(partition !== undefined && { partition }), attempts, error });
};
