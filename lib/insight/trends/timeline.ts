import { DAY_US } from "../../core/time.ts";
import type { Expr } from "../../hogql/ast.ts";
import { arithmetic, call, compare, constant, field, moment, wholeNumber } from "../../hogql/build.ts";
import { timeZone } from "../../hogql/time-zone.ts";
import { type Clock, floorTo, nextStart } from "../dates.ts";
import type { Interval } from "../query.ts";

/** Buckets of one length that follow each other, or one bucket that is longer or shorter because a clock changes in it. */
interface Stretch {
  readonly from: bigint;
  /** Number of its first bucket. */
  readonly first: number;
  /** Microseconds of each of its buckets; null when it is a single one. */
  readonly size: bigint | null;
}

/**
 * The intervals of a range, numbered from 0, as a few stretches between the zone's changes: a row's number is then plain
 * arithmetic on its UTC time, several times cheaper than functions of the wall clock, and the same here and in a query.
 */
export interface Timeline {
  readonly stretches: readonly Stretch[];
  /** How many buckets the range touches. */
  readonly count: number;
}

type Calendar = Pick<Clock, "timezone" | "weekStart">;

/** Microseconds of the intervals that have one length, but for changes of the clock. */
const SIZE_US: Partial<Record<Interval, bigint>> = {
  second: 1_000_000n,
  minute: 60_000_000n,
  hour: 3_600_000_000n,
  day: DAY_US,
  week: 7n * DAY_US,
};

/** The intervals that touch the range `from` to before `to`; the first may begin before it. */
export const timeline = (from: bigint, to: bigint, interval: Interval, clock: Calendar): Timeline => {
  const size = SIZE_US[interval];
  const changes = size === undefined ? [] : timeZone(clock.timezone).transitions(from - 2n * (size ?? 0n), to);
  const stretches: Stretch[] = [];
  let start = floorTo(from, interval, clock);
  let count = 0;
  while (start < to) {
    const change = changes.find(({ at }) => at >= start)?.at;
    const end = change === undefined || change > to ? to : change;
    // Of a bucket that begins or ends where the clock changes, only the calendar knows how long it is.
    const wholeNumber =
      size === undefined || change === start ? 0n : change === end ? (end - start - 1n) / size : (end - start + size - 1n) / size;
    if (size === undefined || wholeNumber === 0n) {
      stretches.push({ from: start, first: count, size: null });
      start = nextStart(start, interval, clock);
      count += 1;
    } else {
      stretches.push({ from: start, first: count, size });
      start += wholeNumber * size;
      count += Number(wholeNumber);
    }
  }
  return { stretches, count };
};

/** The number of the bucket that holds the moment, which lies in the timeline's range. */
export const bucketAt = ({ stretches }: Timeline, micros: bigint): number => {
  const stretch = stretches.findLast(({ from }) => from <= micros);
  if (stretch === undefined) return 0;
  return stretch.first + (stretch.size === null ? 0 : Number((micros - stretch.from) / stretch.size));
};

/** Starts of the buckets `from` to before `to`. */
export const bucketStarts = ({ stretches }: Timeline, from: number, to: number): readonly bigint[] => {
  const starts: bigint[] = [];
  for (const [index, stretch] of stretches.entries()) {
    const end = Math.min(to, stretches[index + 1]?.first ?? to);
    for (let bucket = Math.max(from, stretch.first); bucket < end; bucket++) {
      starts.push(stretch.from + BigInt(bucket - stretch.first) * (stretch.size ?? 0n));
    }
  }
  return starts;
};

/** The number of the bucket that holds the time of a row, which lies in the timeline's range. */
export const bucketExpr = ({ stretches }: Timeline, time: Expr = field("timestamp")): Expr => chosen(stretches, time);

/** A balanced tree of comparisons over the stretches. */
const chosen = (stretches: readonly Stretch[], time: Expr): Expr => {
  const middle = stretches.length >> 1;
  const pivot = stretches[middle];
  if (pivot === undefined) return constant(0);
  if (stretches.length === 1) return within(pivot, time);
  return call(
    "if",
    compare("<", time, moment(pivot.from)),
    chosen(stretches.slice(0, middle), time),
    chosen(stretches.slice(middle), time),
  );
};

const within = ({ from, first, size }: Stretch, time: Expr): Expr => {
  if (size === null) return constant(first);
  const since = arithmetic("-", call("toUnixTimestamp64Micro", time), wholeNumber(from - BigInt(first) * size));
  return call("intDiv", since, wholeNumber(size));
};
