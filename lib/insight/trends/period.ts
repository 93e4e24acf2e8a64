import { QueryError } from "../../hogql/errors.ts";
import { dayText, isoText, labelText } from "../dates/labels.ts";
import { type Clock, floorTo, MAX_BUCKETS, movedPeriod, previousPeriod, type Span } from "../dates.ts";
import type { CompareFilter, Interval } from "../query.ts";
import { bucketAt, bucketStarts, type Timeline, timeline } from "./timeline.ts";

/** A range of an insight: the one asked for, or the one it is compared with. */
export interface Period {
  readonly label: "current" | "previous";
  /** Its first moment, and the one after its last. */
  readonly range: { readonly from: bigint; readonly to: bigint };
  /** Events count from here on: from the start of the first bucket where that is a month or longer. */
  readonly countsFrom: bigint;
  readonly line: Timeline;
  /** It begins with the project's earliest event, which is only known once the queries have run. */
  readonly isOpen: boolean;
}

/** Where a range without a start begins, for events that claim to be older still: 1970. */
const EARLIEST_START = 0n;

/** Intervals whose first bucket is counted whole, unless the range is meant exactly; that of a week begins with the range. */
const WHOLE: ReadonlySet<Interval> = new Set(["month", "quarter", "year"]);

/** How ranges are cut into buckets. */
export interface Cut {
  readonly interval: Interval;
  readonly isExact: boolean;
  readonly clock: Clock;
}

/** The insight's range, and the one before when it is compared: not one without a start, before which there is nothing. */
export const readPeriods = (span: Span, compare: CompareFilter | null, cut: Cut): readonly Period[] => {
  const { from, to } = span;
  const { interval, clock } = cut;
  if (from === null) return [period("current", { from: floorTo(EARLIEST_START, interval, clock), to }, cut, true)];
  const current = { from, to };
  if (compare?.compare !== true) return [period("current", current, cut, false)];
  const { compare_to: by } = compare;
  const before = by === null || by === "" ? previousPeriod(current, clock) : movedPeriod(current, by, clock);
  return [period("current", current, cut, false), period("previous", before, cut, false)];
};

const period = (label: Period["label"], range: Period["range"], { interval, isExact, clock }: Cut, isOpen: boolean): Period => {
  refuseTooLong(range);
  const line = timeline(range.from, range.to, interval, clock);
  if (!isOpen) refuseTooMany(line.count, interval);
  const countsFrom = WHOLE.has(interval) && !isExact ? floorTo(range.from, interval, clock) : range.from;
  return { label, range, countsFrom, line, isOpen };
};

/** Longest range. The changes of a zone's clocks are looked for year by year, which takes about a millisecond each. */
const MAX_YEARS = 200;
const YEAR_US = 31_557_600_000_000n;

const refuseTooLong = ({ from, to }: Period["range"]): void => {
  if (to - from <= BigInt(MAX_YEARS) * YEAR_US) return;
  throw new QueryError("too_complex", `The date range is longer than ${MAX_YEARS} years: choose a later start, or an earlier end.`);
};

const refuseTooMany = (count: number, interval: Interval): void => {
  if (count <= MAX_BUCKETS) return;
  throw new QueryError(
    "too_complex",
    `The date range has ${count} intervals of a ${interval}, and at most ${MAX_BUCKETS} are shown: choose a longer interval.`,
  );
};

/** The buckets of a period that its rows show, and how they name them. */
export interface Shown {
  readonly from: number;
  readonly to: number;
  readonly days: readonly string[];
  readonly labels: readonly string[];
  /** Starts of the buckets as ISO 8601. */
  readonly moments: readonly string[];
  /** First and last moment as ISO 8601. */
  readonly range: { readonly from: string; readonly to: string };
}

/** `earliest` is the time of the project's earliest event, null without events. Throws `QueryError` when there are too many buckets. */
export const shown = ({ range, line, isOpen }: Period, interval: Interval, earliest: bigint | null, { timezone }: Clock): Shown => {
  const start = isOpen ? startOfOpen(range, earliest) : range.from;
  const from = bucketAt(line, start);
  refuseTooMany(line.count - from, interval);
  const starts = bucketStarts(line, from, line.count);
  return {
    from,
    to: line.count,
    days: starts.map((each) => dayText(each, interval, timezone)),
    labels: starts.map((each) => labelText(each, interval, timezone, { from: start, to: range.to })),
    moments: starts.map((each) => isoText(each, timezone)),
    range: { from: isoText(start, timezone), to: isoText(range.to - 1n, timezone) },
  };
};

/** Without events, or with later ones only, the last bucket is shown. */
const startOfOpen = ({ from, to }: Period["range"], earliest: bigint | null): bigint => {
  if (earliest === null || earliest >= to) return to - 1n;
  return earliest < from ? from : earliest;
};
