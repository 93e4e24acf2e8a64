import { QueryError } from "../hogql/errors.ts";

/** Most numbers of one result: more do not fit a reply, however short they are. */
const MAX_NUMBERS = 250_000;

/** What to do about a result that is too large. */
export const TOO_LARGE =
  "The insight's result is larger than the 6 MB that can be sent. Shorten its dates, widen its interval, or narrow its breakdown.";

/** Refuses a result before its rows take up the memory of many replies. Throws `QueryError`. */
export const checkNumbers = (count: number): void => {
  if (count > MAX_NUMBERS) throw new QueryError("query_too_large", TOO_LARGE);
};
