import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A thread that was asked nothing for so long has time for it. */
const IDLE_MS = 200;

let collect: (() => void) | undefined;
let waiting: NodeJS.Timeout | undefined;

/**
 * Has the collector of this thread come once it was called no more for a while. What orders take outside of the heap, tens of megabytes each,
 * is of no weight for the collector, which would leave it until the heap itself is full: in a thread that is idle, for good.
 */
export const collectWhenIdle = (): void => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    collect ??= exposed();
    collect();
  }, IDLE_MS).unref();
};

/** Guarantee: with the flag there is such a function in every new context. */
const exposed = (): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
};
