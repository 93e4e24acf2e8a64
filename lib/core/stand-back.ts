import { readdirSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** About a third of an ordinary thread's share where both want the processor, and all of it where nobody else does. */
const NICENESS = 5;

/**
 * Lets the other threads of this process go first. Only Linux gives threads priorities of their own, and only there a link names
 * the calling one; elsewhere nothing changes.
 */
export const standBack = (): void => lower(() => [readlinkSync("/proc/thread-self").split("/").at(-1)]);

/** Lets other processes go first: all threads that this one has, and those that they start. On Linux, as above. */
export const processStandsBack = (): void => lower(() => readdirSync("/proc/self/task"));

const lower = (threads: () => readonly unknown[]): void => {
  try {
    for (const thread of threads()) setPriority(Number(thread), NICENESS);
  } catch {
    // It only costs time.
  }
};
