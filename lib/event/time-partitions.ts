import { DAY_MS } from "../core/time.ts";
import { partitionOf, utcDay } from "./days.ts";

/** First and last UTC day (days since 1970, both inclusive) of a time partition; `old` begins with all time. */
export const partitionDays = (partition: string): readonly [number, number] => {
  if (partition === "old") return [Number.NEGATIVE_INFINITY, -1];
  const [year = "", month] = partition.split("-");
  if (month === undefined) return [dayOf(Number(year), 0), dayOf(Number(year) + 1, 0) - 1];
  return [dayOf(Number(year), Number(month) - 1), dayOf(Number(year), Number(month)) - 1];
};

/** Milliseconds since 1970 at which the partition's time is over. */
export const partitionEnd = (partition: string): number => (partitionDays(partition)[1] + 1) * DAY_MS;

/** The partitions of time before and after one; nothing is before `old`. */
export const partitionsBeside = (partition: string): { readonly before: string | undefined; readonly after: string } => {
  const [first, last] = partitionDays(partition);
  return { before: Number.isFinite(first) ? partitionOfDay(first - 1) : undefined, after: partitionOfDay(last + 1) };
};

/** The time partition of a UTC day (days since 1970). */
export const partitionOfDay = (day: number): string => partitionOf(BigInt(day * DAY_MS) * 1_000n);

/** A time range in microseconds since 1970: from inclusive, to exclusive, null where it is open. */
export interface TimeRange {
  readonly from: bigint | null;
  readonly to: bigint | null;
}

/** First and last whole UTC day that a time range touches. */
export const daysOf = ({ from, to }: TimeRange): readonly [number, number] => [
  from === null ? Number.NEGATIVE_INFINITY : utcDay(from),
  to === null ? Number.POSITIVE_INFINITY : utcDay(to - 1n),
];

/** Whether two ranges of days, both ends inclusive, share a day. */
export const overlap = (a: readonly [number, number], b: readonly [number, number]): boolean => a[0] <= b[1] && b[0] <= a[1];

const dayOf = (year: number, month: number): number => Date.UTC(year, month) / DAY_MS;
