import { Refused } from "../../lib/event/refused.ts";
import { type HttpRequest, queryValue } from "../../lib/http/request.ts";

const MICROS_PER_MS = 1000n;
/** A smaller number is a time in seconds, or no time at all. */
const EARLIEST_MS = BigInt(Date.UTC(2020, 0, 1));

/** The send time that `?_=` states, microseconds since 1970. Throws `Refused` when it is no integer. */
export const sentAtOfQuery = (request: HttpRequest): bigint | undefined => {
  const text = queryValue(request, "_");
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,18}$/.test(text)) throw new Refused(400, "failed to decode request: query parameter _ must be an integer");
  const ms = BigInt(text);
  return ms > EARLIEST_MS ? ms * MICROS_PER_MS : undefined;
};
