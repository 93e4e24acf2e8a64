import { DAY_MS, DAY_US } from "../core/time.ts";

const DAY_US_NUMBER = Number(DAY_US);

/** Days since 1970 of a time in microseconds; floors, also before 1970. */
export const utcDay = (micros: bigint): number => {
  const near = Number(micros);
  // Exact up to year 2255: there the doubles around a whole day are nearer to each other than a microsecond is to the day.
  if (Number.isSafeInteger(near)) return Math.floor(near / DAY_US_NUMBER);
  const day = micros / DAY_US;
  return Number(micros < 0n && day * DAY_US !== micros ? day - 1n : day);
};

/** The time partition of a time: `yyyy-mm` from 2015 on, `yyyy` for 1970 to 2014, else `old`. */
export const partitionAt = (micros: bigint): string => {
  if (micros < 0n) return "old";
  const date = new Date(Number(micros / 1000n));
  const year = date.getUTCFullYear();
  if (year >= 2015) return `${year}-${String(date.getUTCMonth() + 1).padStart(2, "0")}`;
  return String(year);
};

/** First and last UTC day (days since 1970, both inclusive) of a time partition; `old` begins with all time. */
export const partitionDays = (partition: string): readonly [number, number] => {
  if (partition === "old") return [Number.NEGATIVE_INFINITY, -1];
  const [year = "", month] = partition.split("-");
  if (month === undefined) return [firstDay(Number(year), 0), firstDay(Number(year) + 1, 0) - 1];
  return [firstDay(Number(year), Number(month) - 1), firstDay(Number(year), Number(month)) - 1];
};

/** Milliseconds since 1970 at which the partition's time is over. */
export const partitionEnd = (partition: string): number => (partitionDays(partition)[1] + 1) * DAY_MS;

/** The partitions of time before and after one; nothing is before `old`. */
export const partitionsBeside = (partition: string): { readonly before: string | undefined; readonly after: string } => {
  const [first, last] = partitionDays(partition);
  return { before: Number.isFinite(first) ? partitionOnDay(first - 1) : undefined, after: partitionOnDay(last + 1) };
};

/** The time partition of a UTC day (days since 1970). */
export const partitionOnDay = (day: number): string => partitionAt(BigInt(day * DAY_MS) * 1_000n);

/** A time range in microseconds since 1970: from inclusive, to exclusive, null where it is open. */
export interface TimeRange {
  readonly from: bigint | null;
  readonly to: bigint | null;
}

/** First and last whole UTC day that a time range touches. */
export const daysWithin = ({ from, to }: TimeRange): readonly [number, number] => [
  from === null ? Number.NEGATIVE_INFINITY : utcDay(from),
  to === null ? Number.POSITIVE_INFINITY : utcDay(to - 1n),
];

/** Whether two ranges of days, both ends inclusive, share a day. */
export const overlap = (a: readonly [number, number], b: readonly [number, number]): boolean => a[0] <= b[1] && b[0] <= a[1];

const firstDay = (year: number, month: number): number => Date.UTC(year, month) / DAY_MS;
