import { readdirSync, readFileSync } from "node:fs";

/** Hundredths of a second, on every Linux that Node runs on. */
const TICK_MS = 10;

/** Processor time that a process and those below it have taken since they began, milliseconds; of those that ended, too. */
export const treeCpuMs = (pid: number): number => childrenOf(pid).reduce((sum, child) => sum + treeCpuMs(child), ownCpuMs(pid));

/** User and system time, its own and that of children which ended: fields 14 to 17, counted behind the program's name in brackets. */
const ownCpuMs = (pid: number): number => {
  const fields = unlessGone(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
};

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    unlessGone(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean).map(Number),
  );

/** Threads end while they are listed. */
const unlessGone = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};
