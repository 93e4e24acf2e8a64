import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/** The part of a long piece's time that everything else has before the next one: enough for requests that go to the table and back. */
const REST = 1 / 2;
/** What goes on between shorter pieces is hardly later for them, however many there are, and a pause would only leave the processor idle. */
const LONG_MS = 10;

/**
 * A queue for work that keeps the process busy for a while: each call settles when the work of the one before is done and others have
 * had their turn, after a long one for half as long. Work is what happens without waiting for anything after the call has settled.
 */
export const loopTurns = (): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const { promise: granted, resolve: grant } = Promise.withResolvers<void>();
    last = last.then(async () => {
      const began = performance.now();
      grant();
      await nextTurn();
      // What has come meanwhile is looked at between two turns.
      await nextTurn();
      const took = performance.now() - began;
      if (took > LONG_MS) await pause(took * REST);
    });
    return granted;
  };
};
