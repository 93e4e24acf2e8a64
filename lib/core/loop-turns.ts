import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";

/** The part of a long piece's time that everything else has before the next one: enough for requests that go to the table and back. */
const REST = 1 / 2;
/** What goes on between shorter pieces is hardly later for them, however many there are, and a pause would only leave the processor idle. */
const LONG_MS = 10;

/** Settles as what is got ready does, when it is and its turn has come. */
export type LoopTurn = <T>(getReady: () => Promise<T>) => Promise<T>;

/**
 * A queue for work that keeps the process busy for a while: each call settles when the work of the one before is done and others have
 * had their turn, after a long one for half as long. Work is what happens without waiting for anything after the call has settled; what
 * it needs is got ready in its turn, too, so that no two of them are held at once.
 */
export const loopTurns = (): LoopTurn => {
  let last: Promise<void> = Promise.resolve();
  return <T>(getReady: () => Promise<T>) => {
    const { promise: granted, resolve: grant } = Promise.withResolvers<T>();
    last = last.then(async () => {
      const ready = getReady();
      await ready.catch(() => undefined);
      const began = performance.now();
      grant(ready);
      await nextTurn();
      // What has come meanwhile is looked at between two turns.
      await nextTurn();
      const took = performance.now() - began;
      // In a thread beside the one that answers everybody there is nobody to rest for.
      if (took > LONG_MS && isMainThread) await pause(took * REST);
    });
    return granted;
  };
};
