import { DAY_MS, isoDay } from "../../../../lib/core/time.ts";

export const INTERVALS = ["day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];

/** The points of a series: the first day of each, and the point that a day belongs to. Only days of the range are ever asked for. */
export interface Buckets {
  readonly dates: readonly string[];
  of(day: number): number;
}

/** The intervals that days from `from` to `to`, both inclusive, touch; the first and last may be cut by the range. */
export const bucketsOf = (interval: Interval, from: number, to: number): Buckets => {
  const starts: number[] = [];
  const places = Array.from({ length: to - from + 1 }, (_, at) => {
    const start = startOf(interval, from + at);
    if (starts.at(-1) !== start) starts.push(start);
    return starts.length - 1;
  });
  return { dates: starts.map(isoDay), of: (day) => places[day - from] ?? 0 };
};

const startOf = (interval: Interval, day: number): number => {
  switch (interval) {
    case "day":
      return day;
    case "week":
      return day - mondayDistance(day);
    case "month":
      return day - new Date(day * DAY_MS).getUTCDate() + 1;
  }
};

/** Days since Monday; 1970 began with a Thursday. */
const mondayDistance = (day: number): number => (((day + 3) % 7) + 7) % 7;
