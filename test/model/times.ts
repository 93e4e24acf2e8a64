/** Times are microseconds since 1970. */
const MS = 1_000n;
const HOUR = 3_600_000_000n;
const DAY = 24n * HOUR;
/** Less than this between sending and receiving is latency. */
const LEAST_SKEW = 120_000_000n;
const MOST_AHEAD = 23n * HOUR;
const YOUNG = 48n * HOUR;

const DIGITS = /^-?\d{9,14}$/;
const ISO =
  /^([+-]\d{4,6}|\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(.*)$/;
const MAIL = /^[A-Za-z]{3}, /;

/** A time as a client writes it; null where it is not readable. */
export const readTime = (text: unknown): bigint | null => {
  if (typeof text !== "string") return null;
  const trimmed = text.trim();
  if (DIGITS.test(trimmed)) return BigInt(trimmed) * (trimmed.replace("-", "").length > 11 ? MS : 1_000_000n);
  if (MAIL.test(trimmed)) return Number.isNaN(Date.parse(trimmed)) ? null : BigInt(Date.parse(trimmed)) * MS;
  const american = AMERICAN.exec(trimmed);
  const match = ISO.exec(american ? `${american[3]}-${american[1]}-${american[2]}${american[4]}` : trimmed);
  if (match === null) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const east = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  const seconds = Number(hour) * 3_600 + (Number(minute) - east) * 60 + Number(second);
  return BigInt(date.getTime() + seconds * 1_000) * MS + BigInt(fraction.padEnd(6, "0").slice(0, 6));
};

export interface Times {
  readonly received: bigint;
  readonly sentAt: bigint | null;
  readonly historical: boolean;
}

/** The stored time of an event, and whether it keeps the flag of its request. */
export const timeOf = (
  event: { readonly [name: string]: unknown },
  ignoresSentAt: boolean,
  { received, sentAt, historical }: Times,
): { readonly time: bigint; readonly historical: boolean } => {
  const stated = statedTime(event, ignoresSentAt, { received, sentAt, historical });
  // A flagged event without uuid has to be the same row when the request is sent again.
  const instead = historical && !event.uuid && sentAt !== null ? sentAt : received;
  const time = bounded(stated ?? instead, received);
  return { time, historical: historical && (stated === null || received - time >= YOUNG) };
};

const statedTime = (event: { readonly [name: string]: unknown }, ignoresSentAt: boolean, times: Times): bigint | null => {
  if (typeof event.offset === "number") return times.received - BigInt(event.offset) * MS;
  const time = readTime(event.timestamp);
  if (time === null || times.sentAt === null || times.historical || ignoresSentAt) return time;
  const skew = times.sentAt - times.received;
  return skew > LEAST_SKEW || skew < -LEAST_SKEW ? time - skew : time;
};

const bounded = (time: bigint, received: bigint): bigint => {
  if (time > received + MOST_AHEAD) return received;
  return time < readTimeOr("0000-01-01") || time >= readTimeOr("+010000-01-01") ? 0n : time;
};

const readTimeOr = (text: string): bigint => readTime(text) ?? 0n;

/** Days since 1970. */
export const dayOf = (time: bigint): number => Number((time - (((time % DAY) + DAY) % DAY)) / DAY);
