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

/** Runs tasks one after another, in the order in which they were given; one that fails holds up nobody. */
export const openLine = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next;
    return next;
  };
};

/** A task was not begun: it waited for its turn for too long, or found too many waiting. Whoever asked for it can ask again. */
export class Busy extends Error {
  override readonly name = "Busy";
  /** When that makes sense, in seconds from now. */
  readonly retrySeconds = 1;
}
