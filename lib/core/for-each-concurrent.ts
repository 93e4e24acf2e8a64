/**
 * Works through entries in their order, `lanes` of them at a time, and begins none when `mayBegin` says no; gives those that were not begun.
 * A fault ends the lane that it happened in, and is thrown when all have ended, so that nothing goes on behind its caller's back.
 */
export const forEachConcurrent = async <T>(
  entries: Iterable<T>,
  lanes: number,
  work: (entry: T) => Promise<void>,
  mayBegin: () => boolean = () => true,
): Promise<readonly T[]> => {
  const waiting = [...entries].values();
  const lane = async (): Promise<void> => {
    while (mayBegin()) {
      const next = waiting.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return [...waiting];
};
