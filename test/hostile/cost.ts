import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of processor that work takes, in the least of three runs: in this process and in those that it started. */
export const costOf = (work: () => unknown): Promise<number> => leastOf(work, everywhereMs);

/** The same for work that is done in this thread, whatever the others do. */
export const processorCostOf = (work: () => unknown): Promise<number> => leastOf(work, threadMs);

const RUNS = 3;

const leastOf = async (work: () => unknown, spentMs: () => number): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) least = Math.min(least, await costOnce(work, spentMs));
  return least;
};

const costOnce = async (work: () => unknown, spentMs: () => number): Promise<number> => {
  const before = spentMs();
  await work();
  return spentMs() - before;
};

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const everywhereMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + startedMs();
};

/** Linux counts a process's time in hundredths of a second; elsewhere what was started is not seen. */
const TICK_MS = 10;

const startedMs = (): number => {
  if (process.platform !== "linux") return 0;
  const children = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return children.reduce((sum, child) => sum + ticks(child) * TICK_MS, 0);
};

/** User and system time are the 14th and 15th word, of which the second may hold spaces and ends with a bracket. */
const ticks = (child: string): number => {
  try {
    const words = readFileSync(`/proc/${child}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return Number(words[11]) + Number(words[12]);
  } catch {
    return 0;
  }
};

/**
 * How much more a hostile input may cost than a harmless one of its size: generous, because what it stands against costs hundreds of
 * times as much.
 */
export const MOST_RATIO = 20;

/** What is not worth comparing: some tenth of a second, in work that takes longer where everything does. */
export const freeMs = (): Promise<number> =>
  processorCostOf(() => {
    const hash = createHash("sha256");
    for (let part = 0; part < FREE_MIB; part += 1) hash.update(HASHED);
  });

const FREE_MIB = 256;
const HASHED = Buffer.alloc(1024 * 1024);

export const withinReason = async (hostileMs: number, harmlessMs: number): Promise<boolean> =>
  hostileMs <= MOST_RATIO * harmlessMs || hostileMs <= (await freeMs());

/** Whether work is within reason in the least of three runs: the second and the third are needed only where the one before was not. */
export const costsWithinReason = (work: () => unknown, harmlessMs: number): Promise<boolean> =>
  isOnceWithinReason(work, harmlessMs, everywhereMs);

/** The same for work that is done in this thread. */
export const processorCostsWithinReason = (work: () => unknown, harmlessMs: number): Promise<boolean> =>
  isOnceWithinReason(work, harmlessMs, threadMs);

const isOnceWithinReason = async (work: () => unknown, harmlessMs: number, spentMs: () => number): Promise<boolean> => {
  for (let run = 0; run < RUNS; run += 1) if (await withinReason(await costOnce(work, spentMs), harmlessMs)) return true;
  return false;
};
