import type { HttpRequest } from "../../lib/http/request.ts";
import { Refused } from "../../lib/lake/refused.ts";
import { queryValue } from "./hints.ts";

/** ISO 8601 with a zone: year, month, day, hour, minute, second, fraction, zone. */
const ISO = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:[.,](\d{1,9}))?(Z|z|[+-]\d{2}(?::?\d{2})?)$/;
const MICROS_PER_MS = 1000n;
/** A smaller number in the query is a time in seconds, or no time at all. */
const EARLIEST_QUERY_MS = Date.UTC(2020, 0, 1);

/** The time in microseconds since 1970 that a `sent_at` states; undefined when it cannot be read. */
export const readSentAt = (text: string): bigint | undefined => {
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [, day = "", time = "", fraction = "", zone = ""] = match;
  const ms = Date.parse(`${day}T${time}${withMinutes(zone)}`);
  if (Number.isNaN(ms)) return undefined;
  return BigInt(ms) * MICROS_PER_MS + BigInt(fraction.padEnd(6, "0").slice(0, 6));
};

/** The send time that `?_=` states. Throws `Refused` when it is no integer. */
export const sentAtOfQuery = (request: HttpRequest): bigint | undefined => {
  const text = queryValue(request, "_");
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,18}$/.test(text)) throw new Refused(400, "failed to decode request: query parameter _ must be an integer");
  const ms = BigInt(text);
  return ms > BigInt(EARLIEST_QUERY_MS) ? ms * MICROS_PER_MS : undefined;
};

const withMinutes = (zone: string): string => {
  if (zone.length === 3) return `${zone}:00`;
  return zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
};
