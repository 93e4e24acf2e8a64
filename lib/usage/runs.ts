import type { DayCounts } from "./day-counts.ts";

/** Counts of one type on days that follow one another: the type's place among the names, the first day, and a count for each day. */
export type Run = readonly [type: number, first: number, ...counts: number[]];

/** The same counts as runs, which take a fifth of the bytes: names that are new are added to `names`. */
export const encodeRuns = (days: DayCounts, names: string[]): readonly Run[] => {
  const open = new Map<number, number[]>();
  const runs: number[][] = [];
  for (const day of Object.keys(days).map(Number).sort(ascending)) {
    for (const [name, count] of Object.entries(days[day] ?? {})) {
      const type = indexIn(names, name);
      const last = open.get(type);
      if (last !== undefined && (last[1] ?? 0) + last.length - HEAD === day) last.push(count);
      else {
        const run = [type, day, count];
        runs.push(run);
        open.set(type, run);
      }
    }
  }
  return runs.map(asRun);
};

/** Numbers at the head of a run, before its counts. */
const HEAD = 2;

const ascending = (one: number, other: number): number => one - other;

const indexIn = (names: string[], name: string): number => {
  const known = names.indexOf(name);
  return known < 0 ? names.push(name) - 1 : known;
};

/** A list that begins with a type and a day is a run. */
const asRun = (list: number[]): Run => list as unknown as Run;

/** The counts of the runs by day and name, from day to day (both inclusive). */
export const decodeRuns = (runs: readonly Run[], names: readonly string[], from: number, to: number): DayCounts => {
  const days = new Map<number, Record<string, number>>();
  for (const run of runs) {
    const name = names[run[0]] ?? "";
    const first = run[1];
    for (let at = HEAD; at < run.length; at += 1) {
      const day = first + at - HEAD;
      if (day < from || day > to) continue;
      const counts = days.get(day) ?? {};
      counts[name] = run[at] ?? 0;
      days.set(day, counts);
    }
  }
  return Object.fromEntries(days);
};

/** The sums of a run's counts between the days, both inclusive. */
export const sumBetween = (run: Run, from: number, to: number): number => {
  const first = run[1];
  const end = Math.min(run.length, to - first + HEAD + 1);
  let sum = 0;
  for (let at = Math.max(HEAD, from - first + HEAD); at < end; at += 1) sum += run[at] ?? 0;
  return sum;
};

/** Hands out each count of a run that lies between the days, both inclusive. */
export const eachCount = (run: Run, from: number, to: number, take: (day: number, count: number) => void): void => {
  const first = run[1];
  const end = Math.min(run.length, to - first + HEAD + 1);
  for (let at = Math.max(HEAD, from - first + HEAD); at < end; at += 1) take(first + at - HEAD, run[at] ?? 0);
};
