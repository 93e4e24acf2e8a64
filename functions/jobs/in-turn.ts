import type { World } from "../../lib/app/world.ts";
import { MINUTE_MS, SECOND_MS } from "../../lib/core/time.ts";
import { hasPlace, type LaneLimits, lastOfOthers, type Turns, usedBy, type Waiting, withBegun } from "../../lib/core/turns.ts";
import { faultText } from "../../lib/core/unreachable.ts";
import { type Job, jobName, type Passes, passedText, readJob, readPasses } from "../../lib/jobs/jobs.ts";
import { changeTurns, endWork } from "../../lib/lanes/stored-turns.ts";
import type { Delivery } from "../../lib/ports/queues.ts";

/** Workers that the queue feeds at once. */
export const JOBS_AT_ONCE = 2;

/** A project has one job at work, so that there is a worker for the others. */
export const JOB_LANE: LaneLimits = { atOnce: Number.POSITIVE_INFINITY, ofGroup: JOBS_AT_ONCE - 1, ofOwner: JOBS_AT_ONCE - 1 };

/** Who is ahead of the others by no more than this need not let them go first. */
const SLACK_MS = 5 * SECOND_MS;

/** Where no other project had a turn for so long, nobody has to be let go first. */
const ALONE_MS = MINUTE_MS;

/** A worker holds its place no longer: its function has ended by then. */
const PLACE_MS = 15 * MINUTE_MS;

/** A message waits so long for the first time; where others have jobs, too, twice as long each further time, and no longer than this. */
const WAIT_SECONDS = 4;
const LONGEST_WAIT_SECONDS = 300;

/** What becomes of a message: it is worked, goes behind the others, or waits; a little where nobody but its own project is there. */
type Course = "begins" | "behind" | "waits" | "waits a little";

/**
 * Does a job when it is its project's turn; else its message goes behind all others, or waits. Nobody knows who waits in the queue, but who went
 * behind all of it and comes again before anybody else had a turn has let nobody wait.
 */
export const inTurn = async (
  world: Pick<World, "table" | "queues" | "clock" | "log">,
  { id, body, attempts }: Delivery,
  work: () => Promise<boolean>,
): Promise<boolean> => {
  const job = readable(body);
  // To count takes little, and is not to wait for work that was killed.
  if (job === undefined || job.kind === "usage") return work();
  // What comes again was begun before, and whether it may be tried is remembered with it.
  if (attempts === 1) {
    const passes = readPasses(body);
    const course = await begin(world, job, passes, id);
    if (course !== "begins" && (await putOff(world, job, passes, course))) return true;
  }
  try {
    return await work();
  } finally {
    // The place is the message's own: that of a delivery whose process was killed ends with the next one.
    await endWork(world.table, "jobs", world.clock.now(), id).catch((thrown: unknown) => untold(world, job, thrown));
  }
};

const readable = (body: string): Job | undefined => {
  try {
    return readJob(body);
  } catch {
    return undefined;
  }
};

/** Whose turn it is to be: a project's, or of a removed organization its own. */
const ownerOf = (job: Job): Waiting => {
  const owner = job.kind === "remove-organization" ? job.organization : String(job.project);
  return { owner, group: owner };
};

const begin = async (
  { table, clock, log }: Pick<World, "table" | "clock" | "log">,
  job: Job,
  passes: Passes,
  name: string,
): Promise<Course> => {
  const now = clock.now();
  const waiting = ownerOf(job);
  try {
    return await changeTurns<Course>(table, "jobs", now, (turns) => {
      if (turns.running.some((one) => one.name === name)) return { result: "begins" };
      const course = courseOf(turns, waiting, passes, now);
      return course === "begins"
        ? { turns: withBegun(turns, waiting, { name, began: now, until: now + PLACE_MS }), result: course }
        : { result: course };
    });
  } catch (thrown) {
    // Work must not wait for the account of turns.
    untold({ log }, job, thrown);
    return "begins";
  }
};

/** Pure: what becomes of a message that is delivered now. */
export const courseOf = (turns: Turns, waiting: Waiting, { behindAt }: Passes, now: number): Course => {
  const others = lastOfOthers(turns, waiting.owner);
  const isAlone = others === undefined || now - others >= ALONE_MS;
  if (!hasPlace(turns, waiting, JOB_LANE)) return isAlone ? "waits a little" : "waits";
  if (
    isAlone ||
    (behindAt !== null && others !== undefined && others <= behindAt) ||
    usedBy(turns, waiting.owner) <= turns.clock + SLACK_MS
  )
    return "begins";
  return behindAt === null ? "behind" : "waits";
};

/** Sends the message anew; false where the queue does not take it. */
const putOff = async (
  { queues, clock }: Pick<World, "queues" | "clock">,
  job: Job,
  { waits }: Passes,
  course: Course,
): Promise<boolean> => {
  const message =
    course === "behind"
      ? { body: passedText(job, { waits, behindAt: clock.now() }) }
      : {
          body: passedText(job, { waits: waits + 1, behindAt: null }),
          delaySeconds: course === "waits a little" ? WAIT_SECONDS : Math.min(WAIT_SECONDS * 2 ** waits, LONGEST_WAIT_SECONDS),
        };
  return (await queues.send("jobs", [{ id: "0", ...message }])).length === 0;
};

const untold = ({ log }: Pick<World, "log">, job: Job, thrown: unknown): void =>
  log.line("warn", "turn_untold", { job: jobName(job), error: faultText(thrown) });
