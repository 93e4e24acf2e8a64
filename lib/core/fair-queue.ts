import { Busy } from "./concurrency.ts";
import { type LaneLimits, NO_TURNS, nextTurn, type Turns, withBegun, withEnded } from "./turns.ts";

/** A run that has to wait for longer is refused. */
export const MAX_WAIT_MS = 2_000;

/** So many times as many tasks of all projects may wait as of one. */
const SHARES = 10;

/** Others would be refused while they wait for a task that takes longer: one lane is left to those whose tasks do not. */
const LONG_MS = MAX_WAIT_MS;

/** For so long after a long task its project is expected to have another one. */
const EXPECTED_MS = 60_000;

/** Runs one task of a project at a time, and as many of all as there are lanes. Those that wait take turns by the time that their projects used. */
export interface FairQueue {
  /** Hands the task the number of its lane, from 0. Throws `Busy` where it is not begun within `maxWaitMs`. */
  run<T>(project: number, task: (lane: number) => Promise<T>, maxWaitMs?: number): Promise<T>;
}

/** The tasks of a project that wait, in their order. */
interface Line {
  readonly owner: string;
  readonly group: string;
  readonly tasks: ((lane: number) => void)[];
}

/**
 * At most `places` tasks of one project wait, and ten times as many of all. Of several lanes one is left to projects whose tasks are short:
 * those with long ones have at most the rest. Who waits is known to the few steps of this closure alone.
 */
export const openFairQueue = (places: number, lanes = 1): FairQueue => {
  const limits: LaneLimits = { atOnce: lanes, ofGroup: 1, ofOwner: 1 };
  const free = Array.from({ length: lanes }, (_, lane) => lane);
  /** Of the projects that wait for something, in the order in which they came. */
  const lines = new Map<string, Line>();
  /** When the last long task of a project ended. */
  const long = new Map<string, number>();
  let turns: Turns = NO_TURNS;
  let waiting = 0;

  const isLong = (owner: string, now: number): boolean => now - (long.get(owner) ?? Number.NEGATIVE_INFINITY) < EXPECTED_MS;

  /** Whether all lanes but one have tasks that are long, or are expected to be. */
  const isLastLane = (now: number): boolean =>
    lanes > 1 && turns.running.filter(({ owner, began }) => now - began > LONG_MS || isLong(owner, now)).length >= lanes - 1;

  const next = (now: number): Line | undefined => {
    const all = [...lines.values()];
    return nextTurn(turns, isLastLane(now) ? all.filter(({ owner }) => !isLong(owner, now)) : all, limits);
  };

  const beginNext = (): void => {
    const now = performance.now();
    for (let line = next(now); line !== undefined; line = next(now)) {
      const [begin] = line.tasks;
      const lane = free.shift();
      if (begin === undefined || lane === undefined) return;
      leave(line, begin);
      // Whoever still waits comes behind those who used as much and have waited for longer.
      if (lines.delete(line.owner)) lines.set(line.owner, line);
      turns = withBegun(turns, line, { name: line.owner, began: now, until: Number.POSITIVE_INFINITY });
      begin(lane);
    }
  };

  const leave = ({ owner, tasks }: Line, task: Line["tasks"][number]): void => {
    tasks.splice(tasks.indexOf(task), 1);
    if (tasks.length === 0) lines.delete(owner);
    waiting -= 1;
  };

  const end = (owner: string, lane: number): void => {
    const now = performance.now();
    const began = turns.running.find((one) => one.owner === owner)?.began ?? now;
    if (now - began > LONG_MS) long.set(owner, now);
    for (const each of long.keys()) if (!isLong(each, now)) long.delete(each);
    turns = withEnded(turns, owner, now);
    free.push(lane);
    free.sort((a, b) => a - b);
    beginNext();
  };

  const turn = (owner: string, maxWaitMs: number | undefined): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const line = lines.get(owner) ?? { owner, group: owner, tasks: [] };
    let late: NodeJS.Timeout | undefined;
    const begin = (lane: number): void => {
      clearTimeout(late);
      resolve(lane);
    };
    const refuse = (reason: string): void => {
      leave(line, begin);
      reject(new Busy(reason));
    };
    line.tasks.push(begin);
    lines.set(owner, line);
    waiting += 1;
    beginNext();
    if (!line.tasks.includes(begin)) return promise;
    if (line.tasks.length > places || waiting > places * SHARES) refuse("too many queries are waiting");
    else if (maxWaitMs !== undefined) late = setTimeout(refuse, maxWaitMs, "others took too long");
    return promise;
  };

  return {
    async run(project, task, maxWaitMs) {
      const owner = String(project);
      const lane = await turn(owner, maxWaitMs);
      try {
        return await task(lane);
      } finally {
        end(owner, lane);
      }
    },
  };
};
