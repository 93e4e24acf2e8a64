/** Milliseconds of the quickest of three runs: what the work costs, not what else the machine does. */
export const costOf = async (work: () => unknown): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run += 1) {
    const began = performance.now();
    await work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
};

/** Milliseconds of processor that work in this thread takes, whatever else the machine does. */
export const processorCostOf = async (work: () => unknown): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run += 1) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
};

/**
 * How much more a hostile input may cost than a harmless one of its size: generous, because what it stands against costs hundreds of
 * times as much. Below `FREE_MS` nothing is compared.
 */
export const MOST_RATIO = 20;
export const FREE_MS = 100;

export const withinReason = (hostileMs: number, harmlessMs: number): boolean =>
  hostileMs <= FREE_MS || hostileMs <= MOST_RATIO * harmlessMs;
