import { setImmediate as nextIteration, setTimeout as pause } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";

/** The pause after a long task, as a part of its time: enough for requests that go to the table and back. */
const PAUSE_SHARE = 1 / 2;
/** Shorter tasks delay others hardly, however many there are, and a pause would only leave the processor idle. */
const LONG_MS = 10;

/**
 * Admits one task at a time. Settles as `prepare` does, which is called when it is the task's turn; the task itself is what runs
 * synchronously once this has settled.
 */
export type EventLoopQueue = <T>(prepare: () => Promise<T>) => Promise<T>;

/**
 * A queue for tasks that keep the event loop busy. Between two of them the loop handles what has come meanwhile, and after a long one it is
 * left alone for half as long. Tasks are prepared in their turn, so that what two of them need is never held at once.
 */
export const openEventLoopQueue = (): EventLoopQueue => {
  let last: Promise<void> = Promise.resolve();
  return <T>(prepare: () => Promise<T>) => {
    const { promise: admitted, resolve: admit } = Promise.withResolvers<T>();
    last = last.then(async () => {
      const prepared = prepare();
      await prepared.catch(() => undefined);
      const began = performance.now();
      admit(prepared);
      await nextIteration();
      // What has come meanwhile is handled between these two.
      await nextIteration();
      const took = performance.now() - began;
      // Only the main thread answers requests.
      if (took > LONG_MS && isMainThread) await pause(took * PAUSE_SHARE);
    });
    return admitted;
  };
};
