import { readdirSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** About a third of an ordinary thread's share where both want the processor, and all of it where nobody else does. */
const NICENESS = 5;

/**
 * Lowers the priority of the calling thread below that of the others of this process. Does nothing but on Linux, where threads have
 * priorities of their own, and `/proc` names the calling one.
 */
export const lowerThreadPriority = (): void => lower(() => [readlinkSync("/proc/thread-self").split("/").at(-1)]);

/** Lowers the priority of the process: of all threads that it has, and those that they start. On Linux alone, too. */
export const lowerProcessPriority = (): void => lower(() => readdirSync("/proc/self/task"));

const lower = (threads: () => readonly unknown[]): void => {
  try {
    for (const thread of threads()) setPriority(Number(thread), NICENESS);
  } catch {
    // It only costs time.
  }
};
