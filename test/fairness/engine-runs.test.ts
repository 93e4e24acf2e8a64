import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Busy } from "../../lib/core/concurrency.ts";
import { MAX_WAIT_MS, openFairQueue } from "../../lib/core/fair-queue.ts";

/** As the engine of a laptop has them. */
const LANES = 2;
const PLACES = 64;

const OTHERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const HOSTILE = [10, 11];
const SECOND_MS = 1_000;
/** The longest that a run may take. */
const RUN_MS = 20 * SECOND_MS;

interface Load {
  readonly seconds: number;
  /** Milliseconds that a run of the nine takes, and between two of one of them; with 0 each asks for the next when one is done. */
  readonly runMs: number;
  readonly everyMs: number;
  /** How many runs of twenty seconds each hostile project always asks for at once, and how many such projects there are. */
  readonly hostile: number;
  readonly hostileProjects?: number;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A run that is ended where it has to give way. */
const longRun = (givesWay: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const over = setTimeout(resolve, RUN_MS);
    givesWay.addEventListener("abort", () => {
      clearTimeout(over);
      reject(givesWay.reason);
    });
  });

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The runs of the nine that were answered and refused in this time, and how long each waited at its worst, milliseconds. */
const answered = async ({ seconds, runMs, everyMs, hostile, hostileProjects = 1 }: Load) => {
  const queue = openFairQueue(PLACES, LANES);
  const end = performance.now() + seconds * SECOND_MS;
  let [done, refused, longestMs, delayed, hostileDone] = [0, 0, 0, 0, 0];
  const run = async (project: number): Promise<void> => {
    const asked = performance.now();
    const task = async (): Promise<void> => {
      const waitedMs = performance.now() - asked;
      longestMs = Math.max(longestMs, waitedMs);
      if (waitedMs > 500) delayed += 1;
      await sleep(runMs);
      done += 1;
    };
    await queue.run(project, task, everyMs === 0 ? undefined : MAX_WAIT_MS).catch((thrown: unknown) => {
      if (!(thrown instanceof Busy)) throw thrown;
      refused += 1;
    });
  };
  const runs = async (project: number): Promise<void> => {
    for (await sleep(project); performance.now() < end; await sleep(everyMs)) await run(project);
  };
  const hostileRuns = async (project: number): Promise<void> => {
    while (performance.now() < end) {
      await queue.run(project, (_, givesWay) => longRun(givesWay));
      hostileDone += 1;
    }
  };
  const attacks = HOSTILE.slice(0, hostileProjects).flatMap((project) => Array.from({ length: hostile }, () => hostileRuns(project)));
  const all = Promise.all([...attacks, ...OTHERS.map(runs)]);
  await vi.advanceTimersByTimeAsync(seconds * SECOND_MS);
  const result = { done, refused, longestMs, delayed, hostileDone };
  await vi.runAllTimersAsync();
  await all;
  return result;
};

describe("a project that always asks for twelve runs of twenty seconds", () => {
  it("costs nine others, who want all they can get, at most a tenth of their runs", async () => {
    const load = { seconds: 1_800, runMs: SECOND_MS, everyMs: 0 };
    const [alone, beside] = [await answered({ ...load, hostile: 0 }), await answered({ ...load, hostile: 12 })];
    expect(alone.done).toBeGreaterThan(3_500);
    expect(beside.done / alone.done).toBeGreaterThan(0.9);
    expect(beside.hostileDone).toBeGreaterThanOrEqual(10);
  });

  it("has those who want little wait for half a second longer at most, and none of them is refused", async () => {
    const load = { seconds: 300, runMs: 100, everyMs: 2 * SECOND_MS };
    const [alone, beside] = [await answered({ ...load, hostile: 0 }), await answered({ ...load, hostile: 12 })];
    expect(alone.done).toBeGreaterThan(1_000);
    expect([beside.refused, alone.refused]).toEqual([0, 0]);
    expect(beside.done).toBeGreaterThan(alone.done * 0.9);
    expect(beside.longestMs - alone.longestMs).toBeLessThanOrEqual(500);
    expect(beside.hostileDone).toBeGreaterThanOrEqual(10);
  });
});

describe("two projects that begin at the same moment to ask for twelve runs of twenty seconds each", () => {
  it("have others wait for more than half a second once, in turns, and none of them is refused", async () => {
    const load = { seconds: 300, runMs: 100, everyMs: 2 * SECOND_MS };
    const [alone, beside] = [await answered({ ...load, hostile: 0 }), await answered({ ...load, hostile: 12, hostileProjects: 2 })];
    expect(beside.refused).toBe(0);
    expect(beside.done).toBeGreaterThan(alone.done * 0.9);
    // Those who ask within the first second, in which nobody knows yet how long the two take.
    expect(beside.delayed - alone.delayed).toBeLessThanOrEqual(OTHERS.length);
    expect(beside.hostileDone).toBeGreaterThanOrEqual(10);
  });
});
