import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type ProcessGroup, startGroup } from "../support/processes/process-group.ts";
import type { Sources } from "./sources.ts";

const HOOKS = join(import.meta.dirname, "hooks.ts");

/** What a process has to know to load a program with mutants; `NODE_OPTIONS` hands it on to the processes that it starts. */
export const environmentOf = ({ scope, folder }: Sources): Readonly<Record<string, string>> => ({
  MUTATE_ROOT: scope.root,
  MUTATE_SOURCES: folder,
  NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${HOOKS}`,
});

/** Starts a program of a run. */
export const start = (program: string, args: readonly string[], env: Readonly<Record<string, string>>): ProcessGroup =>
  startGroup(join(import.meta.dirname, program), args, { env, isShown: process.env.MUTATE_VERBOSE !== undefined });

/** What comes first: a message of the process, its end, or the end of its time. */
export const answerOf = async (child: ChildProcess, limitMs: number): Promise<unknown> => {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), limitMs);
  try {
    return await Promise.race([
      once(child, "message", { signal: stop.signal }).then(([message]) => message),
      once(child, "exit", { signal: stop.signal }).then(() => ({ kind: "ended" })),
    ]);
  } catch {
    return { kind: "late" };
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
};
