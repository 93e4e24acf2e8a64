/**
 * Works through entries, so many side by side, and begins none when `mayBegin` says no. The entries that were not begun, in their order.
 * What one throws is thrown when all have ended.
 */
export const abreast = async <T>(
  entries: readonly T[],
  lanes: number,
  work: (entry: T) => Promise<void>,
  mayBegin: () => boolean = () => true,
): Promise<readonly T[]> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < entries.length && mayBegin()) {
      const entry = entries[next] as T;
      next += 1;
      await work(entry);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(lanes, entries.length) }, lane));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return entries.slice(next);
};
