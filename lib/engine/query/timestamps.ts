import { greatest, least } from "../../core/bigints.ts";
import { DAY_MS } from "../../core/time.ts";
import { timeZone } from "../../hogql/time-zone.ts";

/** The first and the last moment of which zones are asked: beyond them the offset stays. */
const FIRST = BigInt(Date.parse("0001-01-01T00:00:00Z")) * 1_000n;
const LAST = BigInt(Date.UTC(9999, 11, 31)) * 1_000n;

/** `YYYY-MM-DD` of days since 1970. */
export const isoDate = (days: number): string => {
  const { date, year } = calendar(days * DAY_MS);
  return `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
};

/**
 * Microseconds since 1970 as ISO text in a zone: `2026-01-01T12:00:00.123456+02:00`, with `Z` in UTC and the fraction only when
 * there is one.
 */
export const isoTimestamp = (micros: bigint, zone: string): string => {
  const fraction = Number(((micros % 1_000_000n) + 1_000_000n) % 1_000_000n);
  const ms = Number((micros - BigInt(fraction)) / 1_000n);
  const offset = zone === "UTC" ? 0 : Number(timeZone(zone).offsetAt(least(greatest(micros, FIRST), LAST))) / 1_000_000;
  const { date, year } = calendar(ms + offset * 1_000);
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const digits = fraction === 0 ? "" : `.${String(fraction).padStart(6, "0")}`;
  return `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}T${time}${digits}${zone === "UTC" ? "Z" : signed(offset)}`;
};

/** The calendar repeats itself after 400 years, which takes it beyond the moments that a `Date` has. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * DAY_MS;
const MOST_MS = 8.64e15;

/** A moment, by 400 years as often as it lies beyond what a `Date` has, and its own year. */
const calendar = (ms: number): { readonly date: Date; readonly year: string } => {
  const cycles = Math.abs(ms) > MOST_MS ? Math.trunc(ms / CYCLE_MS) : 0;
  const date = new Date(ms - cycles * CYCLE_MS);
  return { date, year: String(date.getUTCFullYear() + cycles * CYCLE_YEARS).padStart(4, "0") };
};

const two = (value: number): string => String(value).padStart(2, "0");

const signed = (offset: number): string => {
  const whole = Math.abs(offset);
  const seconds = whole % 60 === 0 ? "" : `:${two(whole % 60)}`;
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(whole / 3_600))}:${two(Math.floor(whole / 60) % 60)}${seconds}`;
};
