import { DAY_MS, HOUR_US } from "../../core/time.ts";
import { localDay } from "../../hogql/calendar.ts";
import { QueryError } from "../../hogql/errors.ts";
import { timeZone } from "../../hogql/time-zone.ts";
import { type Clock, endOf, floorTo, moveStart, resolveRange, type Span } from "../dates.ts";
import { filterExpressions } from "../filters/expressions.ts";
import type { DateRange } from "../filters/property-filter.ts";
import type { InsightContext } from "../plan.ts";
import type { RetentionFilter, RetentionQuery } from "../query.ts";

export type RetentionType = NonNullable<RetentionFilter["retentionType"]>;
export type Period = "hour" | "day" | "week" | "month";

/** A column of the result: periods after the cohort's, first and last. */
export interface Column {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** A retention's numbers, with every default filled in. */
export interface Settings {
  readonly type: RetentionType;
  readonly period: Period;
  /** The period as labels name it. */
  readonly name: string;
  /** The first cohort's own period first; then each period by itself, or brackets of them. */
  readonly columns: readonly Column[];
  readonly minimum: number;
  readonly cumulative: boolean;
  /** Periods are counted from the actor's own start, and not by the calendar. */
  readonly rolling: boolean;
  readonly timeline: Timeline;
}

/** Periods of the calendar, numbered from `origin`, the start of number 0. */
export interface Timeline {
  readonly origin: bigint;
  /** How many cohorts there are from the first on; all periods up to this number may be one when the range has no start. */
  readonly cohorts: number;
  /** The range begins with the earliest event, so that the first cohort is only known from the data. */
  readonly open: boolean;
  /** The moment after the last period that counts. */
  readonly end: bigint;
}

const DEFAULT_PERIOD = "Day";
const DEFAULT_INTERVALS = 8;
/** Most brackets of one retention: each is a condition of its query. */
const MAX_BRACKETS = 200;
/** Most cells of one retention, over all its cohorts. */
const MAX_CELLS = 100_000;
const PERIODS = { Hour: "hour", Day: "day", Week: "week", Month: "month" } as const;

/** Reads a retention. Throws `QueryError` for what does not go together. */
export const readSettings = ({ retentionFilter, dateRange }: RetentionQuery, context: InsightContext): Settings => {
  const { retentionType, period, cumulative, minimumOccurrences, timeWindowMode, totalIntervals } = retentionFilter;
  const name = period ?? DEFAULT_PERIOD;
  const intervals = readIntervals(totalIntervals);
  const columns = makeColumns(name, retentionFilter.retentionCustomBrackets, intervals);
  const settings = {
    type: retentionType ?? "retention_recurring",
    period: PERIODS[name],
    name,
    columns,
    minimum: checkCount("minimumOccurrences", minimumOccurrences ?? 1),
    cumulative: cumulative === true,
    rolling: timeWindowMode === "24_hour_windows",
    timeline: makeTimeline(PERIODS[name], intervals, lookahead(columns), dateRange, context),
  } as const;
  if (settings.rolling && settings.cumulative) {
    throw new QueryError("invalid_input", "Cumulative retention cannot be counted in 24-hour windows: leave out one of the two.");
  }
  if (!settings.timeline.open) checkCells(settings.timeline.cohorts, columns.length);
  return settings;
};

const readIntervals = (totalIntervals: RetentionFilter["totalIntervals"]): number =>
  checkCount("totalIntervals", totalIntervals ?? DEFAULT_INTERVALS);

/** The expressions that a retention's two entities hold as text. */
export const retentionTexts = ({ retentionFilter: { targetEntity, returningEntity } }: RetentionQuery): readonly string[] =>
  [targetEntity, returningEntity].flatMap((entity) => filterExpressions(entity?.properties ?? null));

/** The moments that cohorts begin in. Throws `QueryError`. */
export const retentionRange = ({ retentionFilter, dateRange }: RetentionQuery, clock: Clock): Span => {
  const period = PERIODS[retentionFilter.period ?? DEFAULT_PERIOD];
  const { from, to } = cohortSpan(period, readIntervals(retentionFilter.totalIntervals), dateRange, clock);
  return { from: from === null ? null : floorTo(from, period, clock), to };
};

/** Throws `QueryError` when the result would have too many cells. */
export const checkCells = (cohorts: number, columns: number): void => {
  if (cohorts * columns > MAX_CELLS) {
    throw new QueryError("too_complex", `The retention has more than ${MAX_CELLS} cells: shorten its dates or choose a longer period.`);
  }
};

/** How many periods after a cohort's own still count. */
export const lookahead = (columns: readonly Column[]): number => columns.at(-1)?.to ?? 0;

const checkCount = (name: string, value: number): number => {
  if (Number.isSafeInteger(value) && value >= 1 && value <= MAX_CELLS) return value;
  throw new QueryError("invalid_input", `\`${name}\` must be a whole number from 1 to ${MAX_CELLS}, not ${value}.`);
};

const makeColumns = (name: string, brackets: readonly number[] | null, intervals: number): readonly Column[] => {
  const first = { from: 0, to: 0, label: `${name} 0` };
  if (brackets === null || brackets.length === 0) {
    return Array.from({ length: intervals }, (_, index) => ({ from: index, to: index, label: `${name} ${index}` }));
  }
  if (brackets.length > MAX_BRACKETS) {
    throw new QueryError("too_complex", `\`retentionCustomBrackets\` has more than ${MAX_BRACKETS} brackets.`);
  }
  const columns: Column[] = [first];
  for (const size of brackets) {
    const from = lookahead(columns) + 1;
    const to = from + checkCount("retentionCustomBrackets", size) - 1;
    columns.push({ from, to, label: from === to ? `${name} ${from}` : `${name} ${from}-${to}` });
  }
  return columns;
};

/** Periods before the current one that a range from the earliest event looks back on: about 170 years. */
const LONG_AGO = { hour: 1_500_000, day: 62_000, week: 8_900, month: 2_040 } as const;

/** Without a start, the range has as many periods as the result has intervals. */
const makeTimeline = (period: Period, intervals: number, after: number, range: DateRange | null, context: InsightContext): Timeline => {
  const { from, to } = cohortSpan(period, intervals, range, context);
  const last = floorTo(to - 1n, period, context);
  const end = periodStart({ origin: last }, after + 1, period, context);
  if (from === null) {
    const cohorts = LONG_AGO[period] + 1;
    return { origin: moveStart(last, -LONG_AGO[period], period, context), cohorts, open: true, end };
  }
  const origin = floorTo(from, period, context);
  return { origin, cohorts: periodNumber({ origin }, last, period, context) + 1, open: false, end };
};

const cohortSpan = (period: Period, intervals: number, range: DateRange | null, clock: Clock): Span => {
  if (range?.date_from) return resolveRange(range, period, clock);
  const to = endOf(range?.date_to || null, clock, range?.explicitDate === true ? null : period);
  return { from: moveStart(floorTo(to - 1n, period, clock), 1 - intervals, period, clock), to };
};

/** The number of the period that starts at `start`. Hours are counted as they pass, whatever the clock does. */
export const periodNumber = ({ origin }: Pick<Timeline, "origin">, start: bigint, period: Period, { timezone }: InsightContext): number => {
  if (period === "hour") return Number((start - origin) / HOUR_US);
  const zone = timeZone(timezone);
  const days = Number(localDay(start, zone) - localDay(origin, zone));
  if (period !== "month") return period === "week" ? days / 7 : days;
  const [first, last] = [origin, start].map((at) => new Date(Number(localDay(at, zone)) * DAY_MS));
  return first === undefined || last === undefined
    ? 0
    : (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
};

/** The start of the period with a number. */
export const periodStart = ({ origin }: Pick<Timeline, "origin">, number: number, period: Period, context: InsightContext): bigint =>
  period === "hour" ? origin + BigInt(number) * HOUR_US : moveStart(origin, number, period, context);
