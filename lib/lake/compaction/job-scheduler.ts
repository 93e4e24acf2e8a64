import { HOUR_MS, isYoung } from "../../core/time.ts";
import { jobName, jobText, type LakeJob, lakeTask, sendJobs } from "../../jobs/jobs.ts";
import type { Ports } from "../../ports/ports.ts";
import { allFailing, type Failing, readFailing, recordFailure } from "../failures.ts";
import type { Policy } from "../policy.ts";

type SchedulerParts = Pick<Ports, "table" | "queues" | "clock">;

/** A job to ask for, and where the work stands that it is to go on with. */
export interface JobRequest {
  readonly job: LakeJob;
  /** The manifest that the job would replace, or the entry that reminds of it; empty where there is neither. */
  readonly from?: string;
  /** The oldest commit that waits for it. */
  readonly oldest?: string;
}

/** The last request under a name. */
interface LastRequest {
  readonly body: string;
  readonly from: string;
  /** The newest commit that waited then. */
  readonly upTo: string;
  readonly at: number;
  /** How long the very same request is not repeated while nothing moves. */
  readonly waitMs: number;
}

/** The jobs that a sweeping process has asked for, by name. Losing them costs a few messages sent again, nothing else. */
export type ScheduledJobs = Map<string, LastRequest>;

/**
 * A request that changes nothing is repeated ever more rarely, up to this: where the workers stand still for hours, their queue
 * must not fill with copies of it. The queue itself delivers again what failed.
 */
const LONGEST_WAIT_MS = HOUR_MS;

/** Asks the jobs worker for work, not too often, and leaves alone what fails until its time comes. */
export interface JobScheduler {
  /** Queues those of the jobs that are neither failing nor asked for a short while ago. */
  schedule(wanted: readonly JobRequest[]): Promise<void>;
  /** The jobs that failed and are to be tried again now. */
  readonly dueRetries: readonly Failing[];
  /** Asks for one of them, and puts its next time off before it can fail again. */
  retry(failing: Failing): Promise<void>;
}

export const jobScheduler = async (parts: SchedulerParts, policy: Policy, scheduled: ScheduledJobs): Promise<JobScheduler> => {
  const began = parts.clock.now();
  for (const [name, { at }] of scheduled) if (!isYoung(at, 2 * LONGEST_WAIT_MS, began)) scheduled.delete(name);
  const failing = await allFailing(parts.table);
  const left = new Set(failing.map(({ project, task }) => `${project}/${task}`));

  const send = async (wanted: readonly JobRequest[]): Promise<void> => {
    const now = parts.clock.now();
    const unsent = await sendJobs(
      parts.queues,
      wanted.map(({ job }) => job),
    );
    for (const each of wanted) {
      const name = jobName(each.job);
      if (!unsent.includes(each.job)) scheduled.set(name, remembered(policy, scheduled.get(name), each, now));
    }
  };

  return {
    dueRetries: failing.filter(({ againAt }) => againAt <= began),
    async schedule(wanted) {
      const now = parts.clock.now();
      await send(wanted.filter((each) => !left.has(jobName(each.job)) && maySchedule(policy, scheduled.get(jobName(each.job)), each, now)));
    },
    async retry(entry) {
      const failure = await readFailing(parts.table, entry);
      if (failure === undefined || parts.clock.now() < failure.againAt || lakeTask(failure.job) !== entry.task) return;
      await recordFailure(parts, policy, failure.job, failure, failure.error);
      await send([{ job: failure.job }]);
    },
  };
};

const remembered = (policy: Policy, last: LastRequest | undefined, { job, from = "" }: JobRequest, now: number): LastRequest => {
  const body = jobText(job);
  const isSame = last !== undefined && last.body === body && last.from === from;
  return {
    body,
    from,
    upTo: "upTo" in job ? job.upTo : "",
    at: now,
    waitMs: isSame ? Math.min(2 * last.waitMs, LONGEST_WAIT_MS) : policy.resendMs,
  };
};

/**
 * The very same request waits longer each time; another one under its name, because more came in or something moved, only the ordinary
 * time. Where a job took a step and left some of what it was asked for, it goes on at once: what is left waits for nothing else.
 */
const maySchedule = (policy: Policy, last: LastRequest | undefined, { job, from = "", oldest }: JobRequest, now: number): boolean => {
  if (last === undefined) return true;
  const hasMoved = last.from !== from;
  if (hasMoved && oldest !== undefined && oldest <= last.upTo) return true;
  const isSame = !hasMoved && last.body === jobText(job);
  return now - last.at >= (isSame ? last.waitMs : policy.resendMs);
};
