import { setTimeout as pause } from "node:timers/promises";
import { ConditionFailed, Conflict } from "../ports/table.ts";

export interface Tries {
  /** Tries at most: a failed one means that another writer won. */
  readonly most: number;
  /** Spreads the tries of writers that met, milliseconds; none where it is left out. */
  readonly pauseMs?: number;
  /** What is thrown when others were quicker each time; the error of the last try where it is left out. */
  readonly otherwise?: () => Error;
}

/**
 * Does work that reads and then writes on condition that what it read has not changed, and does it anew when something has. `work` is told
 * which try it is, from 1. Throws what work throws, and for `ConditionFailed` and `Conflict` of the last try what `otherwise` gives.
 */
export const untilWritten = async <T>({ most, pauseMs = 0, otherwise }: Tries, work: (attempt: number) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof ConditionFailed || error instanceof Conflict)) throw error;
      if (attempt === most) throw otherwise?.() ?? error;
    }
    if (pauseMs > 0) await pause(Math.random() * pauseMs * Math.min(attempt, LONGEST));
  }
};

/** The longest pause, in times the first one. */
const LONGEST = 10;
