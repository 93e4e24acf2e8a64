import { DAY_US } from "../core/time.ts";
import { QueryError } from "./errors.ts";
import type { Zone } from "./time-zone.ts";
import type { Unit } from "./types.ts";

/**
 * The calendar for values known before a query runs, with the meanings of the language: timestamps are microseconds and dates days
 * since 1970, both bigint; wall-clock units (day and longer) follow the zone.
 */

const FIXED_US: Partial<Record<Unit, bigint>> = { second: 1_000_000n, minute: 60_000_000n, hour: 3_600_000_000n };

export const floorDiv = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};

export const localDay = (micros: bigint, zone: Zone): bigint => floorDiv(micros + zone.offsetAt(micros), DAY_US);
export const startOfDay = (day: bigint, zone: Zone): bigint => day * DAY_US - zone.offsetOfLocal(day * DAY_US);

/** Days from 1970 that dates of queries stay within: years 0 to 9999. */
const FIRST_DAY = -719_528n;
const LAST_DAY = 2_932_896n;

const inRange = (day: bigint): bigint => {
  if (day < FIRST_DAY || day > LAST_DAY)
    throw new QueryError("invalid_input", "A date of the query is out of range: years 0 to 9999 are known.");
  return day;
};

const utcDate = (day: bigint): Date => new Date(Number(inRange(day)) * 86_400_000);
const dayFrom = (year: number, month: number, day: number): bigint => {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  const time = date.getTime();
  return inRange(Number.isNaN(time) ? LAST_DAY + 1n : floorDiv(BigInt(time), 86_400_000n));
};

/** The first day of the week (0: weeks start on Sunday, 1: on Monday), month, quarter or year that holds `day`. */
export const floorDay = (day: bigint, unit: Unit, weekMode: 0 | 1): bigint => {
  const date = utcDate(day);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  switch (unit) {
    case "week":
      return day - BigInt((date.getUTCDay() + (weekMode === 1 ? 6 : 0)) % 7);
    case "month":
      return dayFrom(year, month, 1);
    case "quarter":
      return dayFrom(year, month - (month % 3), 1);
    case "year":
      return dayFrom(year, 0, 1);
    default:
      return day;
  }
};

/** `day` moved by whole days, weeks, months, quarters or years; the 31st falls back to a month's last day. */
export const addToDay = (day: bigint, amount: bigint, unit: Unit): bigint => {
  if (unit === "day") return inRange(day + amount);
  if (unit === "week") return inRange(day + amount * 7n);
  const months = Number(amount) * (unit === "month" ? 1 : unit === "quarter" ? 3 : 12);
  const date = utcDate(day);
  const first = utcDate(dayFrom(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return dayFrom(first.getUTCFullYear(), first.getUTCMonth(), Math.min(date.getUTCDate(), last));
};

export const addToTimestamp = (micros: bigint, amount: bigint, unit: Unit, zone: Zone): bigint => {
  const fixed = FIXED_US[unit];
  if (fixed !== undefined) return micros + amount * fixed;
  const local = micros + zone.offsetAt(micros);
  const day = floorDiv(local, DAY_US);
  const moved = addToDay(day, amount, unit) * DAY_US + (local - day * DAY_US);
  return moved - zone.offsetOfLocal(moved);
};

export const floorTimestamp = (micros: bigint, unit: Unit, zone: Zone): bigint => {
  const fixed = FIXED_US[unit];
  if (fixed === undefined) return startOfDay(floorDay(localDay(micros, zone), unit, 1), zone);
  const offset = zone.offsetAt(micros);
  return floorDiv(micros + offset, fixed) * fixed - offset;
};

/** Longest time that is written, in characters, the spaces around it included. */
const MAX_WRITTEN = 100;
const TIMESTAMP = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?\s*$/;

/** "2026-01-01", "2026-01-01 12:00:00[.5]" or ISO 8601 with or without an offset (then wall clock of the zone); null otherwise. */
export const parseTimestamp = (text: string, zone: Zone): bigint | null => {
  const match = text.length > MAX_WRITTEN ? null : TIMESTAMP.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  if (year === undefined || month === undefined || day === undefined) return null;
  if (month < 1 || month > 12 || (hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return null;
  const days = dayFrom(year, month - 1, day);
  if (utcDate(days).getUTCDate() !== day) return null;
  const seconds = BigInt((hour ?? 0) * 3600 + (minute ?? 0) * 60 + (second ?? 0));
  const local = days * DAY_US + seconds * 1_000_000n + BigInt((match[7] ?? "").padEnd(6, "0").slice(0, 6));
  const offset = match[8];
  if (offset === undefined) return local - zone.offsetOfLocal(local);
  if (offset === "Z") return local;
  const sign = offset.startsWith("-") ? -1 : 1;
  return local - BigInt(sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2)))) * 60_000_000n;
};

/** The day of a text that starts as a date; null otherwise. */
export const parseDay = (text: string): bigint | null => {
  const match = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?![\d])/.exec(text);
  if (match === null) return null;
  const day = dayFrom(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  const month = utcDate(day).getUTCMonth() + 1;
  return month === Number(match[2]) ? day : null;
};
