import { setTimeout as pause } from "node:timers/promises";
import { Busy } from "../../lib/core/concurrency.ts";
import { UserError } from "../local/user-error.ts";

/** A run has ended long before, so others take every place that comes free. */
const PATIENCE_MS = 60_000;

const MILLISECONDS = 1_000;

/** How the wait passes, and where it is told: standard output is the command's answer alone. */
export interface Wait {
  now(): number;
  pause(ms: number): Promise<unknown>;
  tell(line: string): void;
}

const PATIENT: Wait = { now: () => performance.now(), pause, tell: (line) => void process.stderr.write(`${line}\n`) };

/**
 * Does a task as soon as the platform is not busy, and says so where it has to wait. The task is begun again each time. Throws a
 * `UserError` after a minute.
 */
export const whenFree = async <T>(task: () => Promise<T>, wait: Wait = PATIENT): Promise<T> => {
  const end = wait.now() + PATIENCE_MS;
  for (let isTold = false; ; isTold = true) {
    try {
      return await task();
    } catch (thrown) {
      if (!(thrown instanceof Busy)) throw thrown;
      if (wait.now() >= end)
        throw new UserError("The project's runs are still busy after a minute. Try again when fewer of them are at work.");
      if (!isTold) wait.tell("The project's runs are busy: waiting for one of them to end, for a minute at most.");
      await wait.pause(thrown.retrySeconds * MILLISECONDS);
    }
  }
};
