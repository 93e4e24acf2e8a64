import { DAY_MS } from "../../core/time.ts";

const QUARTER_MS = 900_000;

/** Before this year zones have one constant offset, their local mean time, and calendars in `Intl` have eras. */
const FIRST_YEAR_MS = Date.UTC(1000, 0, 1);

/** `YYYY-MM-DD` of days since 1970. */
export const isoDate = (days: number): string => {
  const date = new Date(days * DAY_MS);
  return `${year(date)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
};

/**
 * Microseconds since 1970 as ISO text in a zone: `2026-01-01T12:00:00.123456+02:00`, with `Z` in UTC and the fraction only when
 * there is one.
 */
export const isoStamp = (micros: bigint, zone: string): string => {
  const fraction = Number(((micros % 1_000_000n) + 1_000_000n) % 1_000_000n);
  const ms = Number((micros - BigInt(fraction)) / 1_000n);
  const offset = zone === "UTC" ? 0 : offsetOf(zone, ms);
  const date = new Date(ms + offset * 1_000);
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const digits = fraction === 0 ? "" : `.${String(fraction).padStart(6, "0")}`;
  return `${year(date)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}T${time}${digits}${zone === "UTC" ? "Z" : signed(offset)}`;
};

const year = (date: Date): string => String(date.getUTCFullYear()).padStart(4, "0");
const two = (value: number): string => String(value).padStart(2, "0");

const signed = (offset: number): string => {
  const whole = Math.abs(offset);
  const seconds = whole % 60 === 0 ? "" : `:${two(whole % 60)}`;
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(whole / 3_600))}:${two(Math.floor(whole / 60) % 60)}${seconds}`;
};

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offset in seconds by quarter of an hour: zones change on quarters only. */
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

/** A process prints in few zones; the offsets of one are dropped when they are too many to be worth their memory. */
const MAX_OFFSETS = 100_000;

const offsetOf = (name: string, ms: number): number => {
  const zone = zoneOf(name);
  const quarter = Math.floor(Math.max(ms, FIRST_YEAR_MS) / QUARTER_MS);
  const known = zone.offsets.get(quarter);
  if (known !== undefined) return known;
  if (zone.offsets.size > MAX_OFFSETS) zone.offsets.clear();
  const at = quarter * QUARTER_MS;
  const parts = new Map(zone.format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  const offset = (local - at) / 1_000;
  zone.offsets.set(quarter, offset);
  return offset;
};

const zoneOf = (name: string): Zone => {
  const known = zones.get(name);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    calendar: "iso8601",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
};
