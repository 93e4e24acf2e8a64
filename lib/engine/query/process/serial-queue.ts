import { QueryError } from "../../../hogql/errors.ts";

/** Runs tasks one after another. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * One with at most `places` waiting tasks: two queries side by side are slower than one after the other (measured), and a
 * queue without a bound would only turn overload into timeouts.
 */
export const openSerialQueue = (places: number): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (task) => {
    if (waiting >= places) throw new QueryError("query_estimated_too_slow", "Too many queries are waiting. Try again in a moment.");
    waiting++;
    const result = last.then(() => {
      waiting--;
      return task();
    });
    last = result.catch(() => undefined);
    return result;
  };
};
