/** Retention by its definition alone: for each actor, cohort and column all events are looked at again. */

export interface NaiveEvent {
  readonly who: number;
  readonly name: "a" | "b";
  /** Milliseconds since 1970, different for every event. */
  readonly at: number;
  readonly browser: string | null;
  readonly price: number;
}

export interface NaiveQuery {
  readonly type: "retention_recurring" | "retention_first_time" | "retention_first_ever_occurrence";
  readonly period: "Hour" | "Day" | "Week" | "Month";
  readonly timezone: string;
  readonly weekStart: 0 | 1;
  /** Local days, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly start: "a" | "b" | null;
  /** Starts must have this browser. */
  readonly startBrowser: string | null;
  readonly returning: "a" | "b" | null;
  readonly intervals: number;
  readonly brackets: readonly number[] | null;
  readonly minimum: number;
  readonly cumulative: boolean;
  readonly rolling: boolean;
  readonly byBrowser: boolean;
}

export interface NaiveCell {
  readonly count: number;
  /** The prices of the returns that the cell counts, those of the cohort's own period only after the start. */
  readonly total: number;
}

/** Cells by cohort and column, for each value of the breakdown, null when there is none. */
export const naiveRetention = (
  events: readonly NaiveEvent[],
  query: NaiveQuery,
): ReadonlyMap<string | null, readonly (readonly NaiveCell[])[]> => {
  const clock = clockOf(query);
  const columns = columnsOf(query);
  const cohorts = Array.from({ length: clock.cohorts }, (_, index) => index);
  const found = new Map<string | null, NaiveCell[][]>();
  for (const actor of actorsOf(events, query)) {
    for (const cohort of cohorts) {
      const start = startIn(actor.events, cohort, query, clock);
      if (start === null) continue;
      const seen = columns.map(([from, to], column) => column === 0 || isSeen(actor.events, start, cohort, from, to, query, clock));
      const last = seen.lastIndexOf(true);
      const table = found.get(actor.value) ?? cohorts.map(() => columns.map(() => ({ count: 0, total: 0 })));
      found.set(actor.value, table);
      for (const [column, [from, to]] of columns.entries()) {
        const cell = table[cohort]?.[column] ?? { count: 0, total: 0 };
        const counts = seen[column] === true || (query.cumulative && column <= last);
        const total = cell.total + amountIn(actor.events, start, cohort, from, to, query, clock);
        table[cohort]?.splice(column, 1, { count: cell.count + (counts ? 1 : 0), total });
      }
    }
  }
  return found;
};

const columnsOf = ({ intervals, brackets }: NaiveQuery): readonly (readonly [number, number])[] => {
  if (brackets === null) return Array.from({ length: intervals }, (_, index) => [index, index] as const);
  let next = 1;
  return [
    [0, 0] as const,
    ...brackets.map((size) => {
      next += size;
      return [next - size, next - 1] as const;
    }),
  ];
};

const isStart = ({ start, startBrowser }: NaiveQuery, event: NaiveEvent): boolean =>
  (start === null || event.name === start) && (startBrowser === null || event.browser === startBrowser);
const isNamed = ({ start }: NaiveQuery, event: NaiveEvent): boolean => start === null || event.name === start;
const isReturn = ({ returning }: NaiveQuery, event: NaiveEvent): boolean => returning === null || event.name === returning;

interface Actor {
  readonly value: string | null;
  /** In order of time. */
  readonly events: readonly NaiveEvent[];
}

/** By person, and by the value of each event, or of a first-ever retention by that of the person's first event. */
const actorsOf = (events: readonly NaiveEvent[], query: NaiveQuery): readonly Actor[] => {
  const ordered = [...events].sort((a, b) => a.at - b.at);
  const people = [...Map.groupBy(ordered, ({ who }) => who).values()];
  if (!query.byBrowser) return people.map((own) => ({ value: null, events: own }));
  if (query.type !== "retention_first_ever_occurrence") {
    return people.flatMap((own) =>
      [...Map.groupBy(own, ({ browser }) => browser)].map(([value, part]) => ({ value: value ?? "none", events: part })),
    );
  }
  return people.map((own) => ({ value: own.find((event) => isNamed(query, event))?.browser ?? "none", events: own }));
};

/** The start that makes the actor one of the cohort, in milliseconds. */
const startIn = (events: readonly NaiveEvent[], cohort: number, query: NaiveQuery, clock: Clock): number | null => {
  const starts = events.filter((event) => isStart(query, event));
  const inCohort = (event: NaiveEvent | undefined): number | null =>
    event !== undefined && clock.period(event.at) === cohort ? event.at : null;
  switch (query.type) {
    case "retention_recurring":
      if (query.rolling) return inCohort(starts.find(({ at }) => clock.period(at) >= 0 && clock.period(at) < clock.cohorts));
      return starts.map(inCohort).find((at) => at !== null) ?? null;
    case "retention_first_time":
      return inCohort(starts[0]);
    case "retention_first_ever_occurrence": {
      const first = events.find((event) => isNamed(query, event));
      return first !== undefined && isStart(query, first) ? inCohort(first) : null;
    }
  }
};

const WINDOW_MS = { Hour: 3_600_000, Day: 86_400_000, Week: 604_800_000, Month: 2_592_000_000 } as const;

const isSeen = (
  events: readonly NaiveEvent[],
  start: number,
  cohort: number,
  from: number,
  to: number,
  query: NaiveQuery,
  clock: Clock,
): boolean => {
  const after = (at: number): number =>
    query.rolling ? (at < start ? -1 : Math.floor((at - start) / WINDOW_MS[query.period])) : clock.period(at) - cohort;
  for (let period = from; period <= to; period++) {
    const returns = events.filter((event) => isReturn(query, event) && after(event.at) === period);
    if (returns.length >= query.minimum) return true;
  }
  return false;
};

const amountIn = (
  events: readonly NaiveEvent[],
  start: number,
  cohort: number,
  from: number,
  to: number,
  query: NaiveQuery,
  clock: Clock,
): number => {
  const same = query.start === query.returning && query.startBrowser === null;
  return events
    .filter((event) => isReturn(query, event))
    .filter(({ at }) => clock.period(at) - cohort >= from && clock.period(at) - cohort <= to)
    .filter(({ at }) => same || clock.period(at) > cohort || at > start)
    .reduce((sum, { price }) => sum + price, 0);
};

interface Clock {
  /** Number of the period that holds a moment; the first cohort's is 0. */
  readonly period: (at: number) => number;
  readonly cohorts: number;
}

const clockOf = ({ period, timezone, weekStart, from, to }: NaiveQuery): Clock => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, year: "numeric", month: "2-digit", day: "2-digit" });
  const dayOf = (at: number): number => Date.parse(format.format(at)) / 86_400_000;
  const [firstDay, lastDay] = [Date.parse(from) / 86_400_000, Date.parse(to) / 86_400_000];
  const midnight = (day: number): number => {
    let at = day * 86_400_000 - 14 * 3_600_000;
    while (dayOf(at) < day) at += 900_000;
    return at;
  };
  const numberOf = (day: number): number => {
    if (period === "Week") return Math.floor((day - 3 + (weekStart === 1 ? -1 : 0)) / 7);
    const date = new Date(day * 86_400_000);
    return period === "Month" ? date.getUTCFullYear() * 12 + date.getUTCMonth() : day;
  };
  if (period === "Hour") {
    const first = midnight(firstDay);
    return { period: (at) => Math.floor((at - first) / 3_600_000), cohorts: (midnight(lastDay + 1) - first) / 3_600_000 };
  }
  const first = numberOf(firstDay);
  return { period: (at) => numberOf(dayOf(at)) - first, cohorts: numberOf(lastDay) - first + 1 };
};
