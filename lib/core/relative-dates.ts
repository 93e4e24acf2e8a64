import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

const ABSOLUTE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const RELATIVE = /^-?(\d{1,6})([hdwmqysM])(Start|End)?$/;

const FIXED_MS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
  q: 13 * 7 * DAY_MS,
  M: MINUTE_MS,
  s: SECOND_MS,
};

/**
 * The moment that a text means, milliseconds since 1970: a date or a time, which is UTC without an offset, or an amount of time
 * before `now`, such as `-7d`, `7d` or `-1mStart`. Undefined for a text that means none.
 */
export const parseMoment = (text: string, now: number): number | undefined => {
  const [, count, unit = "", edge] = RELATIVE.exec(text) ?? [];
  if (count !== undefined) return possible(atEdge(before(now, Number(count), unit), unit, edge));
  return possible(absolute(text));
};

/** The beginning of a day, months from 0. Unlike `Date.UTC` it takes years before 100 for what they are. */
const utcDate = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day);

const absolute = (text: string): number | undefined => {
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = ABSOLUTE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = utcDate(Number(year), Number(month) - 1, Number(day));
  const isDate = new Date(date).getUTCMonth() === Number(month) - 1 && new Date(date).getUTCDate() === Number(day);
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  if (!isDate || !isTime) return undefined;
  const inDay =
    Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * SECOND_MS + Math.floor(Number(`0${fraction}`) * SECOND_MS);
  return date + inDay - zoneOffset(zone);
};

const zoneOffset = (zone: string): number => {
  if (zone === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone.startsWith("-") ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
};

const before = (now: number, count: number, unit: string): number => {
  if (unit === "m") return monthsBefore(now, count);
  if (unit === "y") return monthsBefore(now, count * 12);
  return now - count * (FIXED_MS[unit] ?? 0);
};

/** The same day of an earlier month, or that month's last. */
const monthsBefore = (now: number, months: number): number => {
  const date = new Date(now);
  const first = utcDate(date.getUTCFullYear(), date.getUTCMonth() - months, 1);
  const day = Math.min(date.getUTCDate(), daysOfMonth(first));
  return first + (day - 1) * DAY_MS + timeOfDay(now);
};

/** The same day of the next year, or 28 February after a 29th. */
export const yearAfter = (now: number): number => monthsBefore(now, -12);

const atEdge = (at: number, unit: string, edge: string | undefined): number => {
  if (edge === undefined) return at;
  const isEnd = edge === "End";
  switch (unit) {
    case "h":
      return Math.floor(at / HOUR_MS) * HOUR_MS + (isEnd ? HOUR_MS - 1 : 0);
    case "d":
      return Math.floor(at / DAY_MS) * DAY_MS + (isEnd ? DAY_MS - 1 : 0);
    case "m":
      return startOfMonth(at) + (isEnd ? (daysOfMonth(at) - 1) * DAY_MS : 0) + timeOfDay(at);
    case "y":
      return utcDate(new Date(at).getUTCFullYear(), isEnd ? 11 : 0, isEnd ? 31 : 1) + timeOfDay(at);
    default:
      return at;
  }
};

const startOfMonth = (at: number): number => utcDate(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth(), 1);
const daysOfMonth = (at: number): number =>
  new Date(utcDate(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth() + 1, 0)).getUTCDate();
const timeOfDay = (at: number): number => ((at % DAY_MS) + DAY_MS) % DAY_MS;

/** Within the years of the calendar, from 1 to 9999. */
const possible = (at = Number.NaN): number | undefined => (at >= utcDate(1, 0, 1) && at < utcDate(10_000, 0, 1) ? at : undefined);
