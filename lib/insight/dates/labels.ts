import { DAY_US } from "../../core/time.ts";
import { floorDiv, localDay } from "../../hogql/calendar.ts";
import { timeZone } from "../../hogql/time-zone.ts";
import type { Interval } from "../query.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** Days of a week's label after its first. */
const WEEK_REST = 6n;

const SUB_DAY: ReadonlySet<Interval> = new Set(["second", "minute", "hour"]);

/** A bucket as `days` of a result names it: its first day, with the time for intervals below a day. */
export const dayText = (start: bigint, interval: Interval, timezone: string): string => {
  const { date, time } = wallClock(start, timezone);
  return SUB_DAY.has(interval) ? `${isoDay(date)} ${time}` : isoDay(date);
};

/** A bucket as `labels` of a result names it; a week is cut to the range `from` to before `to`. */
export const labelText = (
  start: bigint,
  interval: Interval,
  timezone: string,
  range: { readonly from: bigint; readonly to: bigint },
): string => {
  const { date, time } = wallClock(start, timezone);
  const day = date.getUTCDate();
  const month = MONTHS[date.getUTCMonth()] ?? "";
  switch (interval) {
    case "second":
      return `${day}-${month} ${time}`;
    case "minute":
    case "hour":
      return `${day}-${month} ${time.slice(0, 5)}`;
    case "week":
      return weekText(start, timezone, range);
    case "month":
      return `${month} ${year(date)}`;
    default:
      return `${day}-${month}-${year(date)}`;
  }
};

const weekText = (start: bigint, timezone: string, { from, to }: { readonly from: bigint; readonly to: bigint }): string => {
  const zone = timeZone(timezone);
  const first = later(localDay(start, zone), localDay(from, zone));
  const last = later(earlier(localDay(start, zone) + WEEK_REST, localDay(to - 1n, zone)), first);
  const [a, b] = [dayDate(first), dayDate(last)];
  const [monthA, monthB] = [MONTHS[a.getUTCMonth()] ?? "", MONTHS[b.getUTCMonth()] ?? ""];
  if (monthA === monthB) return `${a.getUTCDate()}–${b.getUTCDate()} ${monthB}`;
  return `${a.getUTCDate()}-${monthA}–${b.getUTCDate()}-${monthB}`;
};

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const earlier = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The moment as ISO 8601 on the zone's wall clock, with its offset, `Z` in UTC. */
export const isoText = (micros: bigint, timezone: string): string => {
  const { date, time, fraction, offset } = wallClock(micros, timezone);
  const digits = fraction === 0n ? "" : `.${String(fraction).padStart(6, "0")}`;
  return `${isoDay(date)}T${time}${digits}${timezone === "UTC" ? "Z" : offsetText(offset)}`;
};

interface WallClock {
  /** Its UTC fields are those of the wall clock. */
  readonly date: Date;
  readonly time: string;
  /** Microseconds past the second. */
  readonly fraction: bigint;
  /** Microseconds ahead of UTC. */
  readonly offset: bigint;
}

const SECOND_US = 1_000_000n;

const wallClock = (micros: bigint, timezone: string): WallClock => {
  const offset = timeZone(timezone).offsetAt(micros);
  const seconds = floorDiv(micros + offset, SECOND_US);
  const date = new Date(Number(seconds) * 1000);
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(":");
  return { date, time, fraction: micros + offset - seconds * SECOND_US, offset };
};

const dayDate = (day: bigint): Date => new Date(Number((day * DAY_US) / 1000n));
const isoDay = (date: Date): string => `${year(date)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
const year = (date: Date): string => String(date.getUTCFullYear()).padStart(4, "0");
const two = (value: number): string => String(value).padStart(2, "0");

const offsetText = (offset: bigint): string => {
  const seconds = Number(offset / SECOND_US);
  const whole = Math.abs(seconds);
  const rest = whole % 60 === 0 ? "" : `:${two(whole % 60)}`;
  return `${seconds < 0 ? "-" : "+"}${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}${rest}`;
};
