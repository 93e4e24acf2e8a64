import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { eventually } from "./platform.ts";

const PROGRAM = join(import.meta.dirname, "../../../infra/cli/main.ts");

const gone = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return child.exitCode;
};

/**
 * Runs an operator's command in a process that is killed as soon as `written` tells of something that it did not tell of before; again and
 * again, at most `most` times, until one ends before it is killed. Returns how often it was killed.
 */
export const killAgain = async (words: readonly string[], written: () => Promise<string>, most: number): Promise<number> => {
  for (let kills = 0; kills < most; kills += 1) {
    const before = await written();
    const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: "ignore" });
    await eventually(
      async () => {
        if (child.exitCode === null && (await written()) === before) throw new Error("nothing new is done");
      },
      { everyMs: 5 },
    );
    child.kill("SIGKILL");
    if ((await gone(child)) !== null) return kills;
  }
  return most;
};
