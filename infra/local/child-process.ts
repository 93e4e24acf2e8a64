import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "./user-error.ts";

/** How a program beside us is known to have started. */
export interface Probe<T> {
  /** The program, as a person knows it. */
  readonly name: string;
  /** What shows that it has started; undefined until then. */
  readonly look: () => Promise<T | undefined>;
  readonly pauseMs: number;
  readonly budgetMs: number;
}

/** Characters of what a program printed last, which say why it did not start. */
const LAST_WORDS = 2_000;

/**
 * What a probe finds once a child process has started, which by then keeps us running no longer. Throws a `UserError` with what the
 * process printed where it ends before, or takes too long: then it is ended.
 */
export const whenStarted = async <T>(child: ChildProcess, { name, look, pauseMs, budgetMs }: Probe<T>): Promise<T> => {
  const deadline = performance.now() + budgetMs;
  let printed = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    printed = (printed + text).slice(-LAST_WORDS);
  });
  while (isRunning(child) && performance.now() < deadline) {
    const found = await look();
    if (found !== undefined) {
      child.unref();
      return found;
    }
    await pause(pauseMs);
  }
  await endChild(child);
  throw new UserError(`${name} did not start: ${printed.trim() || "it said nothing"}`);
};

/** It takes some milliseconds. */
const END_MS = 2_000;

/** Ends a child process, which ends itself once its standard input does; one that takes too long is killed. */
export const endChild = async (child: ChildProcess): Promise<void> => {
  if (!isRunning(child)) return;
  child.ref();
  const gone = once(child, "exit");
  child.stdin?.end();
  await Promise.race([gone, pause(END_MS, undefined, { ref: false })]);
  child.kill("SIGKILL");
  await gone;
};

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;
