import { Busy } from "./concurrency.ts";
import { EMPTY_SCHEDULE, type FairSchedule, type LaneLimits, nextWaiting, withBegun, withEnded } from "./fair-schedule.ts";

/** A run that has to wait for longer is refused. */
export const MAX_WAIT_MS = 2_000;

/** So many times as many tasks of all projects may wait as of one. */
const SHARES = 10;

/** Others would be refused while they wait for a task that takes longer: one lane is left to those whose tasks do not. */
const LONG_MS = MAX_WAIT_MS;

/** For so long after a long task its project is expected to have another one. */
const EXPECTED_MS = 60_000;

/** Where all lanes have had their tasks for so long, one of these gives way to somebody who would be refused. */
const PATIENCE_MS = 1_000;

type Task<T> = (lane: number, givesWay: AbortSignal) => Promise<T>;

/** Runs one task of a project at a time, and as many of all as there are lanes. Those that wait take turns by the time that their projects used. */
export interface FairQueue {
  /**
   * Hands the task the number of its lane, from 0, and a signal. A task that ends with the signal's reason gave way to another one: it is
   * begun anew, however long it has to wait for that. Throws `Busy` where it is not begun within `maxWaitMs` the first time.
   */
  run<T>(project: number, task: Task<T>, maxWaitMs?: number): Promise<T>;
}

/** Where a task is at work. */
interface Place {
  readonly lane: number;
  readonly givesWay: AbortSignal;
}

/** A task that waits. */
interface WaitingTask {
  readonly begin: (place: Place) => void;
  /** Whether it is refused where it is not begun in time. */
  readonly isUrgent: boolean;
}

/** The tasks of a project that wait, in their order. */
interface Line {
  readonly owner: string;
  readonly group: string;
  readonly tasks: WaitingTask[];
}

/**
 * At most `places` tasks of one project wait, and ten times as many of all. Of several lanes one is left to projects whose tasks are short:
 * those with long ones have at most the rest, and where nobody knew that they would be long, the youngest gives way. Who waits is known to
 * the few steps of this closure alone.
 */
export const openFairQueue = (places: number, lanes = 1): FairQueue => {
  const limits: LaneLimits = { atOnce: lanes, ofGroup: 1, ofOwner: 1 };
  const free = Array.from({ length: lanes }, (_, lane) => lane);
  /** Of the projects that wait for something, in the order in which they came. */
  const lines = new Map<string, Line>();
  /** When the last long task of a project ended. */
  const long = new Map<string, number>();
  /** Of the projects that have a task at work. */
  const atWork = new Map<string, AbortController>();
  let looking: NodeJS.Timeout | undefined;
  let schedule: FairSchedule = EMPTY_SCHEDULE;
  let waiting = 0;

  const isLong = (owner: string, now: number): boolean => now - (long.get(owner) ?? Number.NEGATIVE_INFINITY) < EXPECTED_MS;

  /** Whether all lanes but one have tasks that are long, or are expected to be. */
  const isLastLane = (now: number): boolean =>
    lanes > 1 && schedule.running.filter(({ owner, began }) => now - began > PATIENCE_MS || isLong(owner, now)).length >= lanes - 1;

  const next = (now: number): Line | undefined => {
    const all = [...lines.values()];
    return nextWaiting(schedule, isLastLane(now) ? all.filter(({ owner }) => !isLong(owner, now)) : all, limits);
  };

  const beginNext = (): void => {
    const now = performance.now();
    for (let line = next(now); line !== undefined; line = next(now)) {
      const [task] = line.tasks;
      const lane = free.shift();
      if (task === undefined || lane === undefined) return;
      leave(line, task);
      // Whoever still waits comes behind those who used as much and have waited for longer.
      if (lines.delete(line.owner)) lines.set(line.owner, line);
      schedule = withBegun(schedule, line, { name: line.owner, began: now, until: Number.POSITIVE_INFINITY });
      const controller = new AbortController();
      atWork.set(line.owner, controller);
      task.begin({ lane, givesWay: controller.signal });
    }
    makeRoom();
  };

  /** Whether somebody waits who would be refused, and would not keep the lane for long. */
  const isSomebodyUrgent = (now: number): boolean =>
    [...lines.values()].some(({ owner, tasks }) => tasks.some(({ isUrgent }) => isUrgent) && !isLong(owner, now) && !atWork.has(owner));

  const makeRoom = (): void => {
    clearTimeout(looking);
    const now = performance.now();
    const isLeaving = [...atWork.values()].some(({ signal }) => signal.aborted);
    if (lanes === 1 || schedule.running.length < lanes || isLeaving || !isSomebodyUrgent(now)) return;
    const youngest = schedule.running.reduce((one, other) => (other.began > one.began ? other : one));
    const leftMs = youngest.began + PATIENCE_MS - now;
    if (leftMs > 0) looking = setTimeout(makeRoom, Math.ceil(leftMs));
    else atWork.get(youngest.owner)?.abort(new GaveWay());
  };

  const leave = ({ owner, tasks }: Line, task: WaitingTask): void => {
    tasks.splice(tasks.indexOf(task), 1);
    if (tasks.length === 0) lines.delete(owner);
    waiting -= 1;
  };

  const end = (owner: string, lane: number): void => {
    const now = performance.now();
    const began = schedule.running.find((one) => one.owner === owner)?.began ?? now;
    if (now - began > LONG_MS || atWork.get(owner)?.signal.aborted) long.set(owner, now);
    atWork.delete(owner);
    for (const each of long.keys()) if (!isLong(each, now)) long.delete(each);
    schedule = withEnded(schedule, owner, now);
    free.push(lane);
    free.sort((a, b) => a - b);
    beginNext();
  };

  const enter = (owner: string, task: WaitingTask, isFirst: boolean): Line => {
    const line = lines.get(owner) ?? { owner, group: owner, tasks: [] };
    if (isFirst) line.tasks.unshift(task);
    else line.tasks.push(task);
    lines.set(owner, line);
    waiting += 1;
    beginNext();
    return line;
  };

  const waitForPlace = (owner: string, maxWaitMs: number | undefined): Promise<Place> => {
    const { promise, resolve, reject } = Promise.withResolvers<Place>();
    let late: NodeJS.Timeout | undefined;
    const begin = (place: Place): void => {
      clearTimeout(late);
      resolve(place);
    };
    const task = { begin, isUrgent: maxWaitMs !== undefined };
    const line = enter(owner, task, false);
    const refuse = (reason: string): void => {
      leave(line, task);
      reject(new Busy(reason));
    };
    if (!line.tasks.includes(task)) return promise;
    if (line.tasks.length > places || waiting > places * SHARES) refuse("too many queries are waiting");
    else if (maxWaitMs !== undefined) late = setTimeout(refuse, maxWaitMs, "others took too long");
    return promise;
  };

  const waitForAnother = (owner: string): Promise<Place> => new Promise((begin) => void enter(owner, { begin, isUrgent: false }, true));

  const work = async <T>(owner: string, task: Task<T>, { lane, givesWay }: Place): Promise<T> => {
    try {
      return await task(lane, givesWay);
    } catch (thrown) {
      if (!givesWay.aborted || thrown !== givesWay.reason) throw thrown;
    } finally {
      end(owner, lane);
    }
    return work(owner, task, await waitForAnother(owner));
  };

  return {
    async run(project, task, maxWaitMs) {
      const owner = String(project);
      return work(owner, task, await waitForPlace(owner, maxWaitMs));
    },
  };
};

/** Why a task ends that is begun anew later. */
class GaveWay extends Error {
  override readonly name = "GaveWay";
}
