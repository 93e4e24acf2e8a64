import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../lib/core/time.ts";

/** What `all` begins with. */
const ALL_FROM = Date.UTC(2020, 0) / DAY_MS;

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const RELATIVE = /^-?(\d{1,9})([hdwmMsqy])(Start|End)?$/;

/** The UTC day (days since 1970) that a date bound means: a date, a time, or so much before now. Undefined when it means none. */
export const dayOf = (text: string, now: number): number | undefined => {
  if (text === "all") return ALL_FROM;
  const iso = ISO.exec(text);
  if (iso) return dayOfIso(iso);
  const relative = RELATIVE.exec(text);
  if (!relative) return undefined;
  const [, amount = "", unit = "", edge] = relative;
  const at = edged(before(now, Number(amount), unit), unit, edge);
  return Number.isFinite(at) ? Math.floor(at / DAY_MS) : undefined;
};

const dayOfIso = ([, year, month, day, hour = "00", minute = "00", second = "00", zone = "Z"]: RegExpExecArray): number | undefined => {
  const date = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  // The 30th of February is moved on by the parser; whoever sent it meant another day.
  if (!isDate(date)) return undefined;
  const at = Date.parse(`${date}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(at) ? undefined : Math.floor(at / DAY_MS);
};

const isDate = (date: string): boolean => {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
};

const FIXED: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  M: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
  q: 13 * 7 * DAY_MS,
};

const MONTHS: Readonly<Record<string, number>> = { m: 1, y: 12 };

const before = (now: number, amount: number, unit: string): number => {
  const fixed = FIXED[unit];
  return fixed === undefined ? monthsBefore(now, amount * (MONTHS[unit] ?? 0)) : now - amount * fixed;
};

/** The same day of an earlier month, or its last one where it is shorter. */
const monthsBefore = (now: number, months: number): number => {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (now % DAY_MS);
};

/** The first or last day of the month or year; of an hour or a day, which lie within one, nothing changes. */
const edged = (at: number, unit: string, edge: string | undefined): number => {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === "m" && edge === "Start") return Date.UTC(year, month, 1);
  if (unit === "m" && edge === "End") return Date.UTC(year, month + 1, 0);
  if (unit === "y" && edge === "Start") return Date.UTC(year, 0, 1);
  if (unit === "y" && edge === "End") return Date.UTC(year, 11, 31);
  return at;
};
