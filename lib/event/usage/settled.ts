import { halfEven } from "../../core/bigints.ts";
import { MARK, MARKS } from "./marks.ts";
import type { DayCounts } from "./usage-types.ts";

type Counts = Readonly<Record<string, number>>;

/**
 * Counts of which the marks have been made counts of their own: what usage is. `before` are the counts, with their marks, of the day
 * before the first of these.
 */
export const settled = (days: DayCounts, before: Counts = {}): DayCounts => {
  const ascending = Object.keys(days).sort((one, other) => Number(one) - Number(other));
  const last = lastDays(days, ascending);
  const counted = ascending.map((day) => {
    const counts = days[day] ?? {};
    const yesterday = days[String(Number(day) - 1)] ?? (day === ascending[0] ? before : {});
    const own = Object.entries(counts).filter(([name]) => !name.startsWith(MARK));
    return [day, Object.fromEntries([...own, ...marked(counts, yesterday, own, (name) => last.get(name) === day)])] as const;
  });
  return Object.fromEntries(counted.filter(([, counts]) => Object.keys(counts).length > 0));
};

/** A submission that is sent again is one answer, on the day of the last that was sent. */
const lastDays = (days: DayCounts, ascending: readonly string[]): ReadonlyMap<string, string> => {
  const last = new Map<string, string>();
  for (const day of ascending) for (const name of Object.keys(days[day] ?? {})) if (name.startsWith(MARKS.submission)) last.set(name, day);
  return last;
};

const marked = (
  counts: Counts,
  yesterday: Counts,
  own: readonly (readonly [string, number])[],
  isLast: (name: string) => boolean,
): readonly (readonly [string, number])[] => {
  const names = Object.keys(counts).filter((name) => name.startsWith(MARK));
  if (names.length === 0) return [];
  const plain = new Map(own);
  const surveys = names.filter((name) => name.startsWith(MARKS.submission) && isLast(name)).length;
  const { web, mobile } = recordings(names, yesterday);
  const token = creditsOf(counts, MARKS.code);
  const found: Readonly<Record<string, number>> = {
    survey_responses_count_in_period: surveys,
    recording_count_in_period: web,
    mobile_recording_count_in_period: mobile,
    mobile_billable_recording_count_in_period: mobile,
    ai_credits_used_in_period: creditsOf(counts, MARKS.assistant),
    service_code_token_credits_used_in_period: token,
    service_code_credits_used_in_period: token,
  };
  return Object.entries(found).flatMap(([name, count]) => (count > 0 ? [[name, count + (plain.get(name) ?? 0)] as const] : []));
};

/** Recordings that begin: those that went on from the day before were counted then. One of both kinds is one of the web. */
const recordings = (names: readonly string[], yesterday: Counts): { readonly web: number; readonly mobile: number } => {
  const begun = (kind: string): readonly string[] => names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  const isNew = (session: string): boolean => !(MARKS.web + session in yesterday) && !(MARKS.mobile + session in yesterday);
  const web = new Set(begun(MARKS.web).filter(isNew));
  return { web: web.size, mobile: begun(MARKS.mobile).filter((session) => isNew(session) && !names.includes(MARKS.web + session)).length };
};

/** Credits of a cent for a cost in hundred-thousandths of a dollar: the assistant's with a fifth on top, as parts of it. */
const CREDIT_PARTS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  [MARKS.assistant]: [120n, 100_000n],
  [MARKS.code]: [100n, 100_000n],
};

const creditsOf = (counts: Counts, kind: string): number => {
  const [times, per] = CREDIT_PARTS[kind] ?? [0n, 1n];
  let cost = 0n;
  for (const [name, amount] of Object.entries(counts)) {
    if (name.startsWith(kind) && !isFree(counts, name.slice(kind.length))) cost += BigInt(amount);
  }
  return Number(halfEven(cost * times, per));
};

const isFree = (counts: Counts, trace: string): boolean => trace !== "" && MARKS.free + trace in counts;
