import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** Fields of `/proc/self/stat` behind the name of the program: where the environment begins and ends that the process was started with. */
const BEGINNING = 47;
const END = 48;

let isHidden = false;

/**
 * Empties what the system shows of this process's environment to others of the same user (`/proc/PID/environ`), before the first of
 * them is started: a function's credentials lie there. The variables themselves stay what they are, in memory that nobody is shown.
 * Elsewhere than on Linux nothing is shown and nothing happens.
 */
export const hideEnvironment = (): void => {
  if (isHidden) return;
  isHidden = true;
  let memory: number;
  let beginning: number;
  let end: number;
  try {
    const fields = readFileSync("/proc/self/stat", "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    [beginning, end] = [Number(fields[BEGINNING]), Number(fields[END])];
    memory = openSync("/proc/self/mem", "r+");
  } catch {
    return;
  }
  // Set again, even to what they are, variables move out of the memory that is emptied.
  for (const [name, value] of Object.entries(process.env)) process.env[name] = value;
  try {
    writeSync(memory, Buffer.alloc(end - beginning), 0, end - beginning, beginning);
  } finally {
    closeSync(memory);
  }
};
