/** What a trend answers, worked out event by event with nothing but the calendar of `Intl`. */

export interface NaiveEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: string;
  readonly who: string;
  readonly browser: string | null;
  readonly plan: string | null;
}

export interface NaiveQuery {
  readonly event: string | null;
  readonly math: "total" | "dau" | "weekly_active" | "monthly_active" | "first_time_for_user" | "max_count_per_actor";
  readonly interval: "hour" | "day" | "week" | "month";
  /** Days of the zone, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly weekStart: 0 | 1;
  readonly by: readonly ("browser" | "plan")[];
  readonly limit: number;
  readonly isCumulative: boolean;
}

export interface NaiveLine {
  readonly values: readonly (string | null)[] | "other";
  readonly data: readonly number[];
}

/** Names of the buckets, and a line for each breakdown value. */
export const naiveTrend = (
  events: readonly NaiveEvent[],
  query: NaiveQuery,
): { readonly days: readonly string[]; readonly lines: readonly NaiveLine[] } => {
  const days = bucketNames(query);
  const groups = new Map<string, NaiveEvent[]>();
  const named = events.filter(({ event }) => query.event === null || event === query.event);
  for (const event of query.math === "first_time_for_user" ? firstOnes(named) : named) {
    const key = JSON.stringify(query.by.map((name) => event[name]));
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  const found = [...groups].map(([key, own]): NaiveLine => ({ values: JSON.parse(key), data: numbers(own, query, days) }));
  const seen =
    query.by.length === 0
      ? found.length === 0
        ? [{ values: [], data: days.map(() => 0) }]
        : found
      : found.filter(({ data }) => sum(data) > 0);
  return { days, lines: limited(seen, query).map((line) => ({ ...line, data: query.isCumulative ? running(line.data) : line.data })) };
};

const sum = (data: readonly number[]): number => data.reduce((a, b) => a + b, 0);
const running = (data: readonly number[]): readonly number[] => data.map((_, index) => sum(data.slice(0, index + 1)));

const lacks = ({ values }: NaiveLine): number => (values === "other" ? 2 : values.includes(null) ? 1 : 0);
const text = ({ values }: NaiveLine): string => (values === "other" ? "" : values.map((value) => value ?? "\uffff").join("\u0000"));
const inOrder = (lines: readonly NaiveLine[]): readonly NaiveLine[] =>
  [...lines].sort((a, b) => lacks(a) - lacks(b) || sum(b.data) - sum(a.data) || (text(a) < text(b) ? -1 : 1));

const isNone = ({ values }: NaiveLine): boolean => values !== "other" && values.every((value) => value === null);

const limited = (lines: readonly NaiveLine[], { by, limit }: NaiveQuery): readonly NaiveLine[] => {
  if (by.length === 0) return lines;
  const sorted = inOrder(lines);
  const leading = sorted.filter((line) => !isNone(line)).slice(0, limit);
  const kept = sorted.filter((line) => isNone(line) || leading.includes(line));
  const others = sorted.filter((line) => !kept.includes(line));
  const [first] = others;
  if (first === undefined) return kept;
  return inOrder([...kept, { values: "other", data: first.data.map((_, index) => sum(others.map(({ data }) => data[index] ?? 0))) }]);
};

const firstOnes = (events: readonly NaiveEvent[]): readonly NaiveEvent[] => {
  const first = new Map<string, NaiveEvent>();
  for (const event of [...events].sort((a, b) => a.at - b.at)) if (!first.has(event.who)) first.set(event.who, event);
  return [...first.values()];
};

const numbers = (events: readonly NaiveEvent[], query: NaiveQuery, days: readonly string[]): readonly number[] => {
  const { math, interval, timezone, from, to } = query;
  const windowDays = { weekly_active: 7, monthly_active: 30 }[math as "weekly_active"];
  const slides = windowDays !== undefined && (interval === "day" || (interval === "week" && windowDays === 30));
  if (slides) {
    return days.map((day) => {
      const first = plusDays(day, 1 - windowDays);
      const seen = events.filter(({ at }) => localDay(at, timezone) >= first && localDay(at, timezone) <= day);
      return new Set(seen.filter(({ at }) => localDay(at, timezone) <= to).map(({ who }) => who)).size;
    });
  }
  if (windowDays !== undefined && interval === "hour") {
    const named = bucketTimes(query);
    return days.map((hour) => {
      const end = (named.get(hour) ?? 0) + HOUR_MS;
      return new Set(events.filter(({ at }) => at < end && at >= end - windowDays * 24 * HOUR_MS).map(({ who }) => who)).size;
    });
  }
  const start = interval === "month" ? `${from.slice(0, 7)}-01` : from;
  const counted = events.filter(({ at }) => localDay(at, timezone) >= start && localDay(at, timezone) <= to);
  const known = new Set<string>();
  return days.map((day) => {
    const inside = counted.filter(({ at }) => bucketName(at, query) === day);
    if (math === "total" || math === "first_time_for_user") return inside.length;
    const people = inside.map(({ who }) => who);
    if (math === "max_count_per_actor") return Math.max(0, ...people.map((who) => people.filter((other) => other === who).length));
    const fresh = new Set(people.filter((who) => !(query.isCumulative && known.has(who))));
    for (const who of fresh) known.add(who);
    return fresh.size;
  });
};

const formatters = new Map<string, Intl.DateTimeFormat>();

/** "2026-03-08 14" on the zone's wall clock. */
const localHour = (at: number, timezone: string): string => {
  const options = { timeZone: timezone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" } as const;
  const formatter = formatters.get(timezone) ?? new Intl.DateTimeFormat("sv-SE", options);
  formatters.set(timezone, formatter);
  return formatter.format(at);
};

const localDay = (at: number, timezone: string): string => localHour(at, timezone).slice(0, 10);
const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The bucket's name; of an hour that the clock shows twice, the second is a bucket of its own. */
const bucketName = (at: number, query: NaiveQuery): string => {
  const day = localDay(at, query.timezone);
  switch (query.interval) {
    case "hour": {
      const hour = localHour(at, query.timezone);
      return `${hour}:00:00${localHour(at - 3_600_000, query.timezone) === hour ? " again" : ""}`;
    }
    case "week":
      return plusDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 7 - query.weekStart) % 7));
    case "month":
      return `${day.slice(0, 7)}-01`;
    default:
      return day;
  }
};

const HOUR_MS = 3_600_000;

const bucketNames = (query: NaiveQuery): readonly string[] => [...bucketTimes(query).keys()];

/** A moment at the start of each bucket, found by walking through the range in steps that every hour begins with. */
const bucketTimes = (query: NaiveQuery): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  const end = Date.parse(`${query.to}T00:00:00Z`) + 48 * HOUR_MS;
  for (let at = Date.parse(`${query.from}T00:00:00Z`) - 24 * HOUR_MS; at < end; at += HOUR_MS / 2) {
    const day = localDay(at, query.timezone);
    const name = bucketName(at, query);
    if (day >= query.from && day <= query.to && !times.has(name)) times.set(name, at);
  }
  return times;
};
