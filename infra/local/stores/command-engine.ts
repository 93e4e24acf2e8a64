import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../running-process.ts";
import { engineDirectory } from "../world.ts";

/** The directory of the engine that one operator's command opens. */
export interface CommandEngine {
  /** The name by which `openLocal` takes it. */
  readonly name: string;
  remove(): Promise<void>;
}

const COMMANDS = "command";
const OWN_NAME = /^(\d+)-\d+$/;

let opened = 0;

/**
 * A directory for the engine of one command: several run beside each other, in this process too, and an engine empties its own when it opens.
 * Takes away what commands left that were killed.
 */
export const commandEngine = async (dataDir: string): Promise<CommandEngine> => {
  const all = engineDirectory(dataDir, COMMANDS);
  const left = await readdir(all).catch(() => []);
  for (const name of left) if (!isAtWork(name)) await rm(join(all, name), { recursive: true, force: true });
  opened += 1;
  const name = join(COMMANDS, `${process.pid}-${opened}`);
  return { name, remove: () => rm(engineDirectory(dataDir, name), { recursive: true, force: true }) };
};

const isAtWork = (name: string): boolean => {
  const pid = Number(OWN_NAME.exec(name)?.[1] ?? 0);
  return pid > 0 && isRunning(pid);
};
