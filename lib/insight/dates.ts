import type { Expr } from "../hogql/ast.ts";
import { compare, field, moment } from "../hogql/build.ts";
import { addToDay, addToTimestamp, floorDay, localDay, parseTimestamp, startOfDay } from "../hogql/calendar.ts";
import { QueryError } from "../hogql/errors.ts";
import { timeZone } from "../hogql/time-zone.ts";
import { UNITS } from "../hogql/types.ts";
import type { DateRange } from "./filters/property-filter.ts";
import type { Interval } from "./query.ts";

/** The moment and the calendar that dates are read in. */
export interface Clock {
  /** Milliseconds since 1970: what relative dates count from. */
  readonly now: number;
  /** IANA name: days and hours are those of this zone. */
  readonly timezone: string;
  /** First day of a week: 0 is Sunday, 1 is Monday. */
  readonly weekStart: 0 | 1;
}

/** Weeks begin on Sunday: projects have no setting of their own. */
export const WEEK_START = 0 as const;

/** Microseconds since 1970: `from` inclusive, `to` exclusive. A null `from` is the earliest event there is. */
export interface Span {
  readonly from: bigint | null;
  readonly to: bigint;
}

/** The start of a range that names none. */
export const DEFAULT_FROM = "-7d";

/**
 * The moments that a date range of an insight covers: whole days, whole hours when the interval is an hour and the bound is finer
 * than a day, whole minutes or seconds when those are the interval. With `explicitDate` bounds stand as written. Throws `QueryError`.
 */
export const resolveRange = (range: DateRange | null, interval: Interval, clock: Clock): Span => {
  const { date_from: from, date_to: to, explicitDate } = range ?? { date_from: null, date_to: null, explicitDate: null };
  const widen = explicitDate === true ? null : interval;
  const span = { from: from === "all" ? null : startOf(from || DEFAULT_FROM, clock, widen), to: endOf(to || null, clock, widen) };
  if (span.from !== null && span.from >= span.to) {
    throw new QueryError("invalid_input", `The date range is empty: \`${from || DEFAULT_FROM}\` is not before \`${to || "now"}\`.`);
  }
  return span;
};

/** The first moment of a bound as its author wrote it, widened to what `interval` shows whole; null widens nothing. */
export const startOf = (text: string, clock: Clock, interval: Interval | null): bigint =>
  withDateName(text, () => {
    const { first, unit } = readBound(text, clock);
    return interval === null ? first : floorTo(first, coarser(unit, interval), clock);
  });

/** The moment after the last one of a bound, widened likewise; null text is now. */
export const endOf = (text: string | null, clock: Clock, interval: Interval | null): bigint => {
  const now = nowMicros(clock);
  if (text === null) return interval === null ? now + 1n : ceiling(now, coarser("second", interval), clock);
  return withDateName(text, () => {
    const { last, unit } = readBound(text, clock);
    return interval === null ? last + 1n : ceiling(last, coarser(unit, interval), clock);
  });
};

/** The start of the interval that holds the moment, as the language's own toStartOf… functions have it. */
export const floorTo = (micros: bigint, interval: Interval, { timezone, weekStart }: Pick<Clock, "timezone" | "weekStart">): bigint => {
  const zone = timeZone(timezone);
  const fixed = FIXED_US[interval];
  if (fixed !== undefined) {
    const local = micros + zone.offsetAt(micros);
    return micros - (((local % fixed) + fixed) % fixed);
  }
  return startOfDay(floorDay(localDay(micros, zone), interval, weekStart), zone);
};

/** The start of the interval after the one that starts at `start`. */
export const nextStart = (start: bigint, interval: Interval, clock: Pick<Clock, "timezone" | "weekStart">): bigint =>
  moveStart(start, 1, interval, clock);

/** The start of the interval that comes `count` after (or before, when negative) the one that starts at `start`. */
export const moveStart = (start: bigint, count: number, interval: Interval, clock: Pick<Clock, "timezone" | "weekStart">): bigint => {
  const zone = timeZone(clock.timezone);
  const fixed = FIXED_US[interval];
  if (fixed === undefined) return startOfDay(addToDay(localDay(start, zone), BigInt(count), interval), zone);
  return floorTo(start + BigInt(count) * fixed, interval, clock);
};

/** Most intervals of one range. */
export const MAX_BUCKETS = 50_000;

/** Starts of all intervals that the range touches, in order; the first may lie before the range. Throws `QueryError`. */
export const buckets = (from: bigint, to: bigint, interval: Interval, clock: Pick<Clock, "timezone" | "weekStart">): readonly bigint[] => {
  const starts: bigint[] = [];
  for (let start = floorTo(from, interval, clock); start < to; start = nextStart(start, interval, clock)) {
    if (starts.length === MAX_BUCKETS) {
      throw new QueryError(
        "too_complex",
        `The date range has more than ${MAX_BUCKETS} intervals of a ${interval}: choose a longer interval.`,
      );
    }
    starts.push(start);
  }
  return starts;
};

/** The period of equal length right before: whole days are counted as days, so that it also begins at midnight. */
export const previousPeriod = (
  { from, to }: { readonly from: bigint; readonly to: bigint },
  { timezone }: Pick<Clock, "timezone">,
): { readonly from: bigint; readonly to: bigint } => {
  const zone = timeZone(timezone);
  const first = localDay(from, zone);
  const end = localDay(to, zone);
  const whole = startOfDay(first, zone) === from && startOfDay(end, zone) === to;
  return { from: whole ? startOfDay(first - (end - first), zone) : from - (to - from), to: from };
};

/** The period moved by a relative date such as `-1m`, each end by the calendar. Throws `QueryError`. */
export const movedPeriod = (
  { from, to }: { readonly from: bigint; readonly to: bigint },
  by: string,
  clock: Clock,
): { readonly from: bigint; readonly to: bigint } =>
  withDateName(by, () => {
    const parts = RELATIVE.exec(by);
    if (parts === null || parts[2] === undefined || parts[4] !== undefined) throw unknownDate(by);
    return { from: move(from, parts, clock), to: moveEnd(to, parts, clock) };
  });

/** Conditions that events lie from `from` to before `to`; a null bound is none: plain comparisons with constants, so that only its files are read. */
export const within = (
  { from: first, to }: { readonly from: bigint | null; readonly to: bigint | null },
  time: Expr = field("timestamp"),
): readonly Expr[] => [
  ...(first === null ? [] : [compare(">=", time, moment(first))]),
  ...(to === null ? [] : [compare("<", time, moment(to))]),
];

const FIXED_US: Partial<Record<Interval, bigint>> = { second: 1_000_000n, minute: 60_000_000n, hour: 3_600_000_000n };

/** Sign, count, unit and edge; `M` is a minute and `m` a month. */
const RELATIVE = /^([+-]?)(\d{1,5})?([sMhdwmqy])(Start|End)?$/;

const UNIT_OF: Readonly<Record<string, Interval>> = {
  s: "second",
  M: "minute",
  h: "hour",
  d: "day",
  w: "week",
  m: "month",
  q: "quarter",
  y: "year",
};

/** The moments that a bound means, first and last, and how finely it was written. */
interface Bound {
  readonly first: bigint;
  readonly last: bigint;
  readonly unit: Interval;
}

/** Longest date that is written, in characters. */
const MAX_WRITTEN = 100;

const readBound = (text: string, clock: Clock): Bound => {
  if (text.length > MAX_WRITTEN) throw unknownDate(text);
  const parts = RELATIVE.exec(text);
  if (parts !== null && (parts[2] !== undefined || parts[4] !== undefined)) return relativeBound(parts, clock);
  const zone = timeZone(clock.timezone);
  const at = parseTimestamp(text.trim(), zone);
  if (at === null) throw unknownDate(text);
  return DAY_ONLY.test(text) ? { first: at, last: at, unit: "day" } : { first: at, last: at, unit: "second" };
};

const DAY_ONLY = /^\s*\d{4}-\d{1,2}-\d{1,2}\s*$/;

const relativeBound = (parts: RegExpExecArray, clock: Clock): Bound => {
  const interval = relativeUnit(parts);
  const at = move(nowMicros(clock), parts, clock);
  const unit = FIXED_US[interval] === undefined ? "day" : interval;
  if (parts[4] === undefined) return { first: at, last: at, unit };
  const start = floorTo(at, interval, clock);
  const edge = parts[4] === "Start" ? start : nextStart(start, interval, clock) - 1n;
  return { first: edge, last: edge, unit };
};

/** A moment moved by a relative date: into the past, unless it says `+`. */
const move = (micros: bigint, parts: RegExpExecArray, clock: Clock): bigint =>
  addToTimestamp(micros, relativeAmount(parts), relativeUnit(parts), timeZone(clock.timezone));

/** The end of a range moved: behind whole days it stays so, also where a clock that is put back shows the last hour of a day twice. */
const moveEnd = (to: bigint, parts: RegExpExecArray, clock: Clock): bigint => {
  const [zone, unit] = [timeZone(clock.timezone), relativeUnit(parts)];
  const day = localDay(to, zone);
  if (FIXED_US[unit] !== undefined || startOfDay(day, zone) !== to) return move(to, parts, clock);
  return startOfDay(addToDay(day - 1n, relativeAmount(parts), unit) + 1n, zone);
};

const relativeAmount = (parts: RegExpExecArray): bigint => {
  const amount = BigInt(parts[2] ?? "0");
  return parts[1] === "+" ? amount : -amount;
};

const relativeUnit = (parts: RegExpExecArray): Interval => UNIT_OF[parts[3] ?? "d"] ?? "day";

/** Of how finely a bound is written and what the interval is, that which is shown whole: at most a day. */
const coarser = (unit: Interval, interval: Interval): Interval => {
  const rank = Math.max(UNITS.indexOf(unit), UNITS.indexOf(interval));
  return UNITS[Math.min(rank, UNITS.indexOf("day"))] ?? "day";
};

const ceiling = (micros: bigint, interval: Interval, clock: Clock): bigint => nextStart(floorTo(micros, interval, clock), interval, clock);

const nowMicros = ({ now }: Clock): bigint => BigInt(Math.floor(now)) * 1000n;

const unknownDate = (text: string): QueryError =>
  new QueryError(
    "invalid_input",
    `\`${text.slice(0, MAX_SHOWN)}\` is not a date: use one such as \`-7d\`, \`-24h\`, \`mStart\`, \`-1mEnd\`, \`2026-01-31\`, \`2026-01-31T12:00:00Z\` or \`all\`.`,
  );

/** Characters of a wrong date that an error repeats. */
const MAX_SHOWN = 60;

/** Whatever the calendar refuses is said of the date as it was written. */
const withDateName = <T>(text: string, resolve: () => T): T => {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof QueryError) || error.message.includes(`\`${text.slice(0, MAX_SHOWN)}\``)) throw error;
    throw new QueryError("invalid_input", `The date \`${text.slice(0, MAX_SHOWN)}\` is out of range: years 0 to 9999 are known.`);
  }
};
