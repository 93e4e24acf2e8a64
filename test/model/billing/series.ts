import type { Ledger } from "./ledger.ts";
import { DAY_MS, dayAt, daysOf, monthAt, shifted } from "./months.ts";

export type Interval = "day" | "week" | "month";
export type Breakdown = "type" | "team";

/** Whose the fees are, which no project has used. */
const ORGANIZATION = "organization";
const NANO_PER_DOLLAR = 1e9;

export interface Series {
  /** First days of the buckets. */
  readonly dates: readonly string[];
  /** Dollars by bucket; names are the parts of the breakdown, type before project. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
}

/** What days cost in dollars, from one to another, both included: as they were counted until now. */
export const spendSeries = (
  ledger: Ledger,
  { from, to, interval, by }: { from: number; to: number; interval: Interval; by: readonly Breakdown[] },
): Series => {
  const buckets = [...new Set(Array.from({ length: to - from + 1 }, (_, place) => bucketOf(from + place, interval)))];
  const lines = new Map<string, number[]>();
  const add = (type: string, project: string, day: number, dollars: number): void => {
    if (day < from || day > to || dollars === 0) return;
    const name = [...(by.includes("type") ? [type] : []), ...(by.includes("team") ? [project] : [])].join(" ");
    const line = lines.get(name) ?? buckets.map(() => 0);
    lines.set(name, line);
    const place = buckets.indexOf(bucketOf(day, interval));
    line[place] = (line[place] ?? 0) + dollars;
  };
  for (let month = monthAt(from * DAY_MS); dayAt(month.start) <= to; month = shifted(month.start, 1)) {
    for (const item of ledger.items(month)) {
      const type = item.usageType ?? item.type;
      for (const { day, units, useNano, feeNano } of ledger.days(month, item)) {
        add(type, ORGANIZATION, day, Number(feeNano) / NANO_PER_DOLLAR / daysOf(month).length);
        if (useNano === 0n) continue;
        for (const [project, own] of ledger.unitsOf(type, day)) {
          add(type, String(project), day, (Number(useNano) / NANO_PER_DOLLAR) * (Number(own) / Number(units)));
        }
      }
    }
  }
  return { dates: buckets.map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10)), lines };
};

const MONDAY = 4;

/** The first day of the bucket that a day lies in: itself, a Monday, or the first of a month. */
const bucketOf = (day: number, interval: Interval): number => {
  if (interval === "day") return day;
  if (interval === "week") return day - ((((day - MONDAY) % 7) + 7) % 7);
  return dayAt(monthAt(day * DAY_MS).start);
};
