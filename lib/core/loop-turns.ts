import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * A queue for work that keeps the process busy for a while: each call settles in a later turn of the event loop than the one before, so
 * that everything else that has come meanwhile is answered between two of them.
 */
export const loopTurns = (): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
};
