import type { Call } from "./client.ts";

/** Calls of this kind that are under way at once: a page of many asks for a few at a time. */
const LANES = 4;

let running = 0;
const waiting: (() => void)[] = [];

/** The same call, sent when it is its turn among all such calls. */
export const inTurn = <T>(call: Call<T>): Call<T> => ({
  ...call,
  async send(key, signal) {
    if (running < LANES) running += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      signal?.throwIfAborted();
      return await call.send(key, signal);
    } finally {
      // The lane goes on to whoever waits the longest.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  },
});
