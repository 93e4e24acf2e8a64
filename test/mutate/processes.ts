import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sources } from "./sources.ts";

const HOOKS = join(import.meta.dirname, "hooks.ts");

/** What a process has to know to load a program with mutants; `NODE_OPTIONS` hands it on to the processes that it starts. */
export const environmentOf = ({ scope, folder }: Sources): Readonly<Record<string, string>> => ({
  MUTATE_ROOT: scope.root,
  MUTATE_SOURCES: folder,
  NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${HOOKS}`,
});

/** A program in a process group of its own with a directory for what it leaves; ending it ends and removes all of that. */
export interface Group {
  readonly child: ChildProcess;
  end(): void;
}

const running = new Set<Group>();

export const start = (program: string, args: readonly string[], env: Readonly<Record<string, string>>): Group => {
  const temporary = mkdtempSync(join(tmpdir(), "mutate-"));
  const child = fork(program, args, {
    detached: true,
    env: { ...process.env, TMPDIR: temporary, ...env },
    stdio: ["ignore", "ignore", process.env.MUTATE_VERBOSE ? "inherit" : "ignore", "ipc"],
  });
  // A process that has ended takes no message any more; that it has ended is told by its exit.
  child.on("error", () => undefined);
  const group: Group = {
    child,
    end() {
      running.delete(group);
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
      rmSync(temporary, { recursive: true, force: true });
    },
  };
  running.add(group);
  return group;
};

export const endAll = (): void => {
  for (const group of running) group.end();
};

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
