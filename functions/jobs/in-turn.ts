import type { World } from "../../lib/app/world.ts";
import {
  type FairSchedule,
  hasPlace,
  type LaneLimits,
  lastOfOthers,
  usedBy,
  type Waiting,
  withBegun,
} from "../../lib/core/fair-schedule.ts";
import { MINUTE_MS, SECOND_MS } from "../../lib/core/time.ts";
import { faultText } from "../../lib/core/unreachable.ts";
import { type Job, jobName, type Passes, passedText, readJob, readPasses } from "../../lib/jobs/jobs.ts";
import { changeSchedule, endWork } from "../../lib/lanes/lane-schedules.ts";
import type { Delivery } from "../../lib/ports/queues.ts";

/** Workers that the queue feeds at once. */
export const JOBS_AT_ONCE = 2;

/** A project has one job running at a time, so that a worker is left for the others. */
const JOB_LANE: LaneLimits = { atOnce: Number.POSITIVE_INFINITY, ofGroup: JOBS_AT_ONCE - 1, ofOwner: JOBS_AT_ONCE - 1 };

/** A project that has used no more than this above its share need not wait for the others. */
const SLACK_MS = 5 * SECOND_MS;

/** Where no other project had a turn for so long, a project counts as alone. */
const ALONE_MS = MINUTE_MS;

/** The place of a worker is free after this: its function has ended by then. */
const PLACE_MS = 15 * MINUTE_MS;

/** The delay of a message that waits: this the first time and, where other projects have jobs, too, twice as long each further time, up to a longest. */
const WAIT_SECONDS = 4;
const LONGEST_WAIT_SECONDS = 300;

/** What is done with a message: its job runs, or it is sent again to the end of the queue, or with a delay, a short one where its project is alone. */
type Decision = "run" | "requeue" | "delay" | "delay shortly";

/**
 * Runs a job when it is its project's turn; else its message is sent again. What else is in the queue cannot be seen: but a message that went to
 * its end and comes again before any other project had a turn kept nobody waiting.
 */
export const inTurn = async (
  world: Pick<World, "table" | "queues" | "clock" | "log">,
  { id, body, attempts }: Delivery,
  work: () => Promise<boolean>,
): Promise<boolean> => {
  const job = readable(body);
  // Counting usage is short, and is not to wait for the place of a job that was killed.
  if (job === undefined || job.kind === "usage") return work();
  // A later delivery has had its turn; whether it may be tried again is stored with the failure.
  if (attempts === 1) {
    const passes = readPasses(body);
    const decision = await decide(world, job, passes, id);
    if (decision !== "run" && (await sendAgain(world, job, passes, decision))) return true;
  }
  try {
    return await work();
  } finally {
    // The place has the message's id: where a delivery's process was killed, the next delivery frees it.
    await endWork(world.table, "jobs", world.clock.now(), id).catch((thrown: unknown) => logUnrecorded(world, job, thrown));
  }
};

const readable = (body: string): Job | undefined => {
  try {
    return readJob(body);
  } catch {
    return undefined;
  }
};

/** The owner of the turn: the project, or the organization that is removed. */
const ownerOf = (job: Job): Waiting => {
  const owner = job.kind === "remove-organization" ? job.organization : String(job.project);
  return { owner, group: owner };
};

/** Decides and, where the job is to run, takes its place in the lane. */
const decide = async (
  { table, clock, log }: Pick<World, "table" | "clock" | "log">,
  job: Job,
  passes: Passes,
  name: string,
): Promise<Decision> => {
  const now = clock.now();
  const waiting = ownerOf(job);
  try {
    return await changeSchedule<Decision>(table, "jobs", now, (schedule) => {
      if (schedule.running.some((one) => one.name === name)) return { result: "run" };
      const decision = decisionFor(schedule, waiting, passes, now);
      return decision === "run"
        ? { schedule: withBegun(schedule, waiting, { name, began: now, until: now + PLACE_MS }), result: decision }
        : { result: decision };
    });
  } catch (thrown) {
    // A job must not wait because turns cannot be recorded.
    logUnrecorded({ log }, job, thrown);
    return "run";
  }
};

/** What to do with a message that is delivered now. Pure. */
export const decisionFor = (schedule: FairSchedule, waiting: Waiting, { behindAt }: Passes, now: number): Decision => {
  const others = lastOfOthers(schedule, waiting.owner);
  const isAlone = others === undefined || now - others >= ALONE_MS;
  if (!hasPlace(schedule, waiting, JOB_LANE)) return isAlone ? "delay shortly" : "delay";
  if (
    isAlone ||
    (behindAt !== null && others !== undefined && others <= behindAt) ||
    usedBy(schedule, waiting.owner) <= schedule.clock + SLACK_MS
  )
    return "run";
  return behindAt === null ? "requeue" : "delay";
};

/** Sends the message again; false where the queue does not take it. */
const sendAgain = async (
  { queues, clock }: Pick<World, "queues" | "clock">,
  job: Job,
  { waits }: Passes,
  decision: Decision,
): Promise<boolean> => {
  const message =
    decision === "requeue"
      ? { body: passedText(job, { waits, behindAt: clock.now() }) }
      : {
          body: passedText(job, { waits: waits + 1, behindAt: null }),
          delaySeconds: decision === "delay shortly" ? WAIT_SECONDS : Math.min(WAIT_SECONDS * 2 ** waits, LONGEST_WAIT_SECONDS),
        };
  return (await queues.send("jobs", [{ id: "0", ...message }])).length === 0;
};

const logUnrecorded = ({ log }: Pick<World, "log">, job: Job, thrown: unknown): void =>
  log.line("warn", "turn_not_recorded", { job: jobName(job), error: faultText(thrown) });
