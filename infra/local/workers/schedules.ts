import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../../../lib/app/world.ts";
import { MINUTE_MS } from "../../../lib/core/time.ts";
import { runSchedule, type Schedule } from "../../../lib/lambda/schedule.ts";
import { asFunction } from "../function-rights.ts";

/** Schedules of a minute run each second here, and the rest in proportion: nobody waits a minute at a laptop. */
const FASTER = 60;
const UNIT_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS } as const;

/** The longest that one run may take, as a function's timeout would have it. */
const BUDGET_MS = 60_000;

export interface Repeating {
  /** Ends after the run in work. */
  stop(): Promise<void>;
}

/** Milliseconds between two runs of a schedule on this machine. */
const localPeriod = (every: Schedule["every"]): number => {
  const [count, unit] = every.split(" ");
  const single = unit?.startsWith("day") ? UNIT_MS.day : unit?.startsWith("hour") ? UNIT_MS.hour : UNIT_MS.minute;
  return (Number(count) * single) / FASTER;
};

/** Runs a schedule again and again, never twice at a time. A run that throws has written its log line; the next one comes as planned. */
export const repeat = (schedule: Schedule, world: World): Repeating => {
  const period = localPeriod(schedule.every);
  const ended = new AbortController();
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const end = performance.now() + BUDGET_MS;
      const budget = { remainingMs: () => end - performance.now() };
      await asFunction(schedule, () => runSchedule(schedule, world, budget)).catch(() => undefined);
      await pause(period, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async stop() {
      ended.abort();
      await running;
    },
  };
};
