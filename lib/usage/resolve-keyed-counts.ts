import { halfEven } from "../core/bigints.ts";
import type { DayCounts } from "./day-counts.ts";
import type { KeyedUsageType } from "./identifiers.ts";
import { KEY_PREFIX, KEYED_PREFIXES } from "./keyed-counts.ts";

type Counts = Readonly<Record<string, number>>;

/** The counts, with the keyed ones, of the partitions of time before and after the one that is settled. */
export interface Neighbours {
  readonly before: DayCounts;
  readonly after: DayCounts;
}

export const NO_NEIGHBOURS: Neighbours = { before: {}, after: {} };

/**
 * Counts of a partition in which keyed counts have become counts of usage types: what usage is. What began in the partition before is not
 * counted again, and a trace may end in the one after.
 */
export const resolveKeyedCounts = (days: DayCounts, { before, after }: Neighbours = NO_NEIGHBOURS): DayCounts => {
  const begun = firstDays(days, before);
  const free = namesIn([before, days, after], KEYED_PREFIXES.free);
  const counted = Object.entries(days).map(([day, counts]) => {
    const yesterday = days[dayBefore(day)] ?? before[dayBefore(day)] ?? {};
    const own = Object.entries(counts).filter(([name]) => !name.startsWith(KEY_PREFIX));
    const beginning = (name: string): boolean => begun.get(name) === day;
    return [day, Object.fromEntries([...own, ...countsOfDay(counts, own, { yesterday, beginning, free })])] as const;
  });
  return Object.fromEntries(counted.filter(([, counts]) => Object.keys(counts).length > 0));
};

/** How many keyed counts of a partition bear on what the one before it counts, and the one after it. */
export type Reach = readonly [before: number, after: number];

/**
 * How far a partition's keyed counts reach. They are only ever added to, so while such a number is the same, these counts are, and
 * what they do to the neighbour's counts.
 */
export const reaching = (days: DayCounts, { before, after }: Neighbours): Reach => {
  const submissions = namesIn([days], KEYED_PREFIXES.submission);
  const answered = [...namesIn([after], KEYED_PREFIXES.submission)].filter((name) => submissions.has(name)).length;
  const goingOn = Object.entries(after).flatMap(([day, counts]) => {
    const sessions = recordedSessions(days[dayBefore(day)] ?? {});
    return [...recordedSessions(counts)].filter((session) => sessions.has(session));
  }).length;
  const free = namesIn([days], KEYED_PREFIXES.free);
  const freed = (beside: DayCounts): number =>
    free.size === 0
      ? 0
      : [KEYED_PREFIXES.assistant, KEYED_PREFIXES.code].flatMap((kind) =>
          [...namesIn([beside], kind)].filter((name) => isFree(free, name.slice(kind.length))),
        ).length;
  return [freed(before), answered + goingOn + freed(after)];
};

const dayBefore = (day: string): string => String(Number(day) - 1);

const namesIn = (partitions: readonly DayCounts[], kind: string): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const days of partitions)
    for (const counts of Object.values(days)) for (const name of Object.keys(counts)) if (name.startsWith(kind)) names.add(name);
  return names;
};

/** A submission that is sent in parts is one answer, on the day of its first part. */
const firstDays = (days: DayCounts, before: DayCounts): ReadonlyMap<string, string> => {
  const earlier = namesIn([before], KEYED_PREFIXES.submission);
  const first = new Map<string, string>();
  for (const day of Object.keys(days).sort((one, other) => Number(one) - Number(other)))
    for (const name of Object.keys(days[day] ?? {}))
      if (name.startsWith(KEYED_PREFIXES.submission) && !earlier.has(name) && !first.has(name)) first.set(name, day);
  return first;
};

/** The counts that a day's keyed counts are resolved by. */
interface Around {
  readonly yesterday: Counts;
  readonly beginning: (submission: string) => boolean;
  readonly free: ReadonlySet<string>;
}

const countsOfDay = (
  counts: Counts,
  own: readonly (readonly [string, number])[],
  { yesterday, beginning, free }: Around,
): readonly (readonly [string, number])[] => {
  const names = Object.keys(counts).filter((name) => name.startsWith(KEY_PREFIX));
  if (names.length === 0) return [];
  const plain = new Map(own);
  const { web, mobile } = recordings(counts, yesterday);
  const token = creditSum(counts, names, KEYED_PREFIXES.code, free);
  const found: Readonly<Record<KeyedUsageType, number>> = {
    survey_responses_count_in_period: names.filter(beginning).length,
    recording_count_in_period: web,
    mobile_recording_count_in_period: mobile,
    mobile_billable_recording_count_in_period: mobile,
    ai_credits_used_in_period: creditSum(counts, names, KEYED_PREFIXES.assistant, free),
    service_code_token_credits_used_in_period: token,
    service_code_credits_used_in_period: token,
  };
  return Object.entries(found).flatMap(([name, count]) => (count > 0 ? [[name, count + (plain.get(name) ?? 0)] as const] : []));
};

/** Recordings that begin: those that went on from the day before were counted then. One of both kinds is one of the web. */
const recordings = (counts: Counts, yesterday: Counts): { readonly web: number; readonly mobile: number } => {
  const begun = [...recordedSessions(counts)].filter(
    (session) => !(KEYED_PREFIXES.web + session in yesterday) && !(KEYED_PREFIXES.mobile + session in yesterday),
  );
  const web = begun.filter((session) => KEYED_PREFIXES.web + session in counts).length;
  return { web, mobile: begun.length - web };
};

/** The recorded sessions of a day. */
const recordedSessions = (counts: Counts): ReadonlySet<string> => {
  const sessions = new Set<string>();
  for (const name of Object.keys(counts))
    for (const kind of [KEYED_PREFIXES.web, KEYED_PREFIXES.mobile]) if (name.startsWith(kind)) sessions.add(name.slice(kind.length));
  return sessions;
};

/** Credits of a cent for a cost in hundred-thousandths of a dollar: the assistant's with a fifth on top, as parts of it. */
const CREDIT_PARTS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  [KEYED_PREFIXES.assistant]: [120n, 100_000n],
  [KEYED_PREFIXES.code]: [100n, 100_000n],
};

const creditSum = (counts: Counts, names: readonly string[], kind: string, free: ReadonlySet<string>): number => {
  const [times, per] = CREDIT_PARTS[kind] ?? [0n, 1n];
  let cost = 0n;
  for (const name of names) if (name.startsWith(kind) && !isFree(free, name.slice(kind.length))) cost += BigInt(counts[name] ?? 0);
  return Number(halfEven(cost * times, per));
};

const isFree = (free: ReadonlySet<string>, trace: string): boolean => trace !== "" && free.has(KEYED_PREFIXES.free + trace);
