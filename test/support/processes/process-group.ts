import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program with a process group of its own and a directory for what it leaves; ending it ends and removes all of that. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  end(): void;
}

const running = new Set<ProcessGroup>();

/** Starts a program that speaks by messages. What it prints is shown or dropped. */
export const startGroup = (
  program: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly isShown: boolean },
): ProcessGroup => {
  const temporary = mkdtempSync(join(tmpdir(), "group-"));
  const printed = options.isShown ? "inherit" : "ignore";
  const child = fork(program, args, {
    detached: true,
    env: { ...process.env, TMPDIR: temporary, ...options.env },
    stdio: ["ignore", printed, printed, "ipc"],
  });
  // A process that has ended takes no message any more; that it has ended is told by its exit.
  child.on("error", () => undefined);
  const group: ProcessGroup = {
    child,
    end() {
      if (!running.delete(group)) return;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  running.add(group);
  return group;
};

export const endGroups = (): void => {
  for (const group of running) group.end();
};

/** Ends all groups when this process ends, also by a signal. */
export const endGroupsWithUs = (): void => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  process.once("exit", endGroups);
};

/** Called in a program of a group: it ends with all that it started when whoever started it is gone. */
export const endWithParent = (): void => {
  process.once("disconnect", () => process.kill(-process.pid, "SIGKILL"));
};
