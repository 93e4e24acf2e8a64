import type { MicroDollars } from "../../../lib/core/money.ts";
import { DAY_MS, isoDay } from "../../../lib/core/time.ts";
import { USAGE_TYPES } from "../../../lib/usage/identifiers.ts";
import { eachCount, type Run, sumBetween } from "../../../lib/usage/runs.ts";
import type { Interval, SeriesRequest } from "./query.ts";

/** Whom a series is of: a project, those that `top_projects` folds together, the organization itself, or everybody. */
export type Whose = number | "other" | "organization" | null;

/** The type and the project that a series is of; null where it is of all. */
export interface Subject {
  readonly type: string | null;
  readonly whose: Whose;
}

/** All amounts of one project and type. A type is one of the identifiers, or in spend a product with a fee. */
export interface Amounts<Amount> {
  /** Null for what belongs to no project. */
  readonly project: number | null;
  readonly type: string;
  readonly amounts: readonly Amount[];
}

/** Money of one day (since 1970). */
export interface DayMoney {
  readonly day: number;
  readonly micro: MicroDollars;
}

/** Days since 1970, both inclusive. */
type Days = Pick<SeriesRequest, "from" | "to">;

/** How the amounts of a measure are added up: counts to numbers, money to micro-dollars. */
export interface Unit<Amount> {
  /** The sum of the amounts of some days. */
  total(amounts: readonly Amount[], days: Days): number | MicroDollars;
  /** The points of a series as sent, one for each interval of the range, those without anything too: counts, or dollars. */
  points(amounts: readonly Amount[], days: Days, buckets: Buckets): readonly number[];
}

export const COUNTS: Unit<Run> = {
  total(runs, { from, to }) {
    let total = 0;
    for (const run of runs) total += sumBetween(run, from, to);
    return total;
  },
  points(runs, { from, to }, buckets) {
    const points = new Array<number>(buckets.dates.length).fill(0);
    for (const run of runs)
      eachCount(run, from, to, (day, count) => {
        const at = buckets.place(day);
        points[at] = (points[at] ?? 0) + count;
      });
    return points;
  },
};

export const MONEY: Unit<DayMoney> = {
  total(amounts, { from, to }) {
    let total = 0n;
    for (const { day, micro } of amounts) if (day >= from && day <= to) total += micro;
    return total;
  },
  points(amounts, { from, to }, buckets) {
    const points = new Array<MicroDollars>(buckets.dates.length).fill(0n);
    for (const { day, micro } of amounts) {
      if (day < from || day > to) continue;
      const at = buckets.place(day);
      points[at] = (points[at] ?? 0n) + micro;
    }
    return points.map(dollars);
  },
};

const MICRO_PER_DOLLAR = 1e6;

const dollars = (micro: MicroDollars): number => Number(micro) / MICRO_PER_DOLLAR;

/** One series before its points are added up. */
export interface Series<Amount> extends Subject {
  readonly amounts: readonly Amount[];
}

/** A series with what it comes to in the whole range. */
export interface Line<Amount> extends Series<Amount> {
  readonly total: number | MicroDollars;
}

/** The series of a request, the largest first. */
export const rankedLines = <A>(all: readonly Amounts<A>[], request: SeriesRequest, unit: Unit<A>): readonly Line<A>[] =>
  ranked(unrankedLines(all, request, unit));

/** Series in their order. They are gathered by what they come to first: most comparisons are of single amounts then. */
export const ranked = <A>(lines: readonly Line<A>[]): readonly Line<A>[] =>
  [...Map.groupBy(lines, ({ total }) => total)].sort(([one], [other]) => (one < other ? 1 : -1)).flatMap(([, equal]) => equal.sort(byRank));

/** The series of a request in no order: of many, few may be shown. One that comes to nothing is left out. */
export const unrankedLines = <A>(all: readonly Amounts<A>[], request: SeriesRequest, unit: Unit<A>): readonly Line<A>[] => {
  const largest = request.byProject && request.top !== null ? largestProjects(all, request, request.top, unit) : null;
  if (request.byType && request.byProject && largest === null) return withTotals(all.map(ownLine), request, unit);
  const found = [...seriesBySubject(all, request, largest)];
  return withTotals(
    found.flatMap(([whose, own]) => [...own].map(([type, amounts]) => ({ type, whose, amounts }))),
    request,
    unit,
  );
};

/**
 * The series of subjects that are known already, in their order, those that come to nothing too. `largest` are the projects that are shown
 * by themselves where others are folded.
 */
export const knownSeries = <A>(
  all: readonly Amounts<A>[],
  request: SeriesRequest,
  subjects: readonly Subject[],
  largest: ReadonlySet<number>,
): readonly Series<A>[] => {
  const shown = new Set(subjects.map(({ whose }) => whose));
  const kept = request.top === null ? null : largest;
  const found = seriesBySubject(
    all.filter(({ project }) => shown.has(shownAs(project, request, kept))),
    request,
    kept,
  );
  return subjects.map(({ type, whose }) => ({ type, whose, amounts: found.get(whose)?.get(type) ?? [] }));
};

/** Whose series the amounts of a project are part of. */
const shownAs = (project: number | null, { byProject }: SeriesRequest, largest: ReadonlySet<number> | null): Whose => {
  if (!byProject) return null;
  if (project === null) return "organization";
  return largest === null || largest.has(project) ? project : "other";
};

const seriesBySubject = <A>(
  all: readonly Amounts<A>[],
  request: SeriesRequest,
  largest: ReadonlySet<number> | null,
): ReadonlyMap<Whose, ReadonlyMap<string | null, readonly A[]>> => {
  const found = new Map<Whose, Map<string | null, A[]>>();
  for (const { project, type, amounts } of all) {
    const own = request.byType ? type : null;
    const whose = shownAs(project, request, largest);
    const lines = found.get(whose) ?? new Map<string | null, A[]>();
    found.set(whose, lines);
    const known = lines.get(own);
    if (known === undefined) lines.set(own, [...amounts]);
    else for (const amount of amounts) known.push(amount);
  }
  return found;
};

/** Without a breakdown there is one series wherever anything was ever used, also where what was asked for comes to nothing. */
export const withAggregate = async <A>(
  lines: readonly Line<A>[],
  request: SeriesRequest,
  isUsed: () => Promise<boolean>,
): Promise<readonly Line<A>[]> => {
  if (lines.length > 0 || request.byType || request.byProject || !(await isUsed())) return lines;
  return [{ type: null, whose: null, amounts: [], total: 0 }];
};

/** Amounts are of one project and type already. */
const ownLine = <A>({ project, type, amounts }: Amounts<A>): Series<A> => ({
  type,
  whose: project ?? "organization",
  amounts,
});

const withTotals = <A>(lines: readonly Series<A>[], request: SeriesRequest, unit: Unit<A>): readonly Line<A>[] => {
  const counted: Line<A>[] = [];
  for (const { type, whose, amounts } of lines) {
    const total = unit.total(amounts, request);
    if (isSomething(total)) counted.push({ type, whose, amounts, total });
  }
  return counted;
};

const isSomething = (total: number | MicroDollars): boolean => total < 0 || total > 0;

/** All that decides the place of a series. */
export type Rank = Pick<Line<unknown>, "type" | "whose" | "total">;

/** The order of series: by what they come to, then as types are listed, then by project. */
export const byRank = (one: Rank, other: Rank): number => byTotal(one, other) || byType(one, other) || whoseRank(one) - whoseRank(other);

const byTotal = ({ total: one }: Rank, { total: other }: Rank): number => (one === other ? 0 : one < other ? 1 : one > other ? -1 : 0);

const TYPE_RANKS = new Map<string, number>(USAGE_TYPES.map((type, at) => [type, at]));

const typeRank = (type: string | null): number => (type === null ? 0 : (TYPE_RANKS.get(type) ?? TYPE_RANKS.size));
const byType = ({ type: one }: Rank, { type: other }: Rank): number =>
  one === other ? 0 : typeRank(one) - typeRank(other) || ((one ?? "") < (other ?? "") ? -1 : 1);
const whoseRank = ({ whose }: Rank): number => (typeof whose === "number" ? whose : Number.MAX_SAFE_INTEGER - (whose === "other" ? 1 : 0));

/** The projects that come to most. */
const largestProjects = <A>(all: readonly Amounts<A>[], request: SeriesRequest, top: number, unit: Unit<A>): ReadonlySet<number> => {
  const found = new Map<number, A[]>();
  for (const { project, amounts } of all) {
    if (project === null) continue;
    const known = found.get(project);
    if (known === undefined) found.set(project, [...amounts]);
    else for (const amount of amounts) known.push(amount);
  }
  const totals = [...found].map(([project, amounts]) => ({ type: null, whose: project, total: unit.total(amounts, request) }));
  const ranked = totals.filter(({ total }) => isSomething(total)).sort(byRank);
  return new Set(ranked.slice(0, top).map(({ whose }) => whose));
};

/** The points of a series: the first day of each, and the point that a day belongs to. Only days of the range are ever asked for. */
export interface Buckets {
  readonly dates: readonly string[];
  place(day: number): number;
}

/** The intervals that days from `from` to `to`, both inclusive, touch; the first and last may be cut by the range. */
export const bucketsBetween = ({ interval, from, to }: Days & Pick<SeriesRequest, "interval">): Buckets => {
  const starts: number[] = [];
  const places = Array.from({ length: to - from + 1 }, (_, at) => {
    const start = firstDay(interval, from + at);
    if (starts.at(-1) !== start) starts.push(start);
    return starts.length - 1;
  });
  return { dates: starts.map(isoDay), place: (day) => places[day - from] ?? 0 };
};

const firstDay = (interval: Interval, day: number): number => {
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
