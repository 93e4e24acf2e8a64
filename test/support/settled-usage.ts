/** An event as the oracle sees it: what it is a part of, on which UTC day, and for how much of what. */
export type CountedEvent =
  | { readonly kind: "submission" | "web" | "mobile" | "free"; readonly day: number; readonly id: string }
  | { readonly kind: "cost"; readonly day: number; readonly id: string; readonly cents: number };

/** Counts by UTC day and type, as `day type`. */
type Counts = ReadonlyMap<string, number>;

/**
 * What events of the years from 2015 on are billed as, from all of them at once. A submission counts on its first day of a month, unless
 * the month before has parts of it; a recording on each day that is not the next of another of its days, for the web where that day has
 * any of the web; a day's cost in credits with a fifth on top, but for traces that are free by an event of the month or one beside it.
 */
export const settledUsage = (events: readonly CountedEvent[]): Counts => {
  const counts = new Map<string, number>();
  const add = (day: number, type: string, count = 1): unknown => counts.set(`${day} ${type}`, (counts.get(`${day} ${type}`) ?? 0) + count);
  const of = (...kinds: readonly string[]) => events.filter(({ kind }) => kinds.includes(kind));

  for (const parts of Map.groupBy(of("submission"), ({ id }) => id).values()) {
    const months = new Set(parts.map(({ day }) => monthOf(day)));
    for (const month of months) {
      if (months.has(month - 1)) continue;
      add(Math.min(...parts.map(({ day }) => day).filter((day) => monthOf(day) === month)), "survey_responses_count");
    }
  }
  for (const pieces of Map.groupBy(of("web", "mobile"), ({ id }) => id).values()) {
    for (const [day, own] of Map.groupBy(pieces, ({ day: on }) => on)) {
      if (pieces.some((piece) => piece.day === day - 1)) continue;
      const types = own.some(({ kind }) => kind === "web") ? ["recording"] : ["mobile_recording", "mobile_billable_recording"];
      for (const type of types) add(day, `${type}_count`);
    }
  }
  for (const [day, generations] of Map.groupBy(events, ({ day: on }) => on)) {
    const paid = generations.flatMap((each) => (each.kind === "cost" && !isFree(each, of("free")) ? [each.cents] : []));
    const credits = halfEven(paid.reduce((sum, cents) => sum + cents, 0) * 1.2);
    if (credits > 0) add(day, "ai_credits_used", credits);
  }
  return new Map([...counts].map(([name, count]) => [`${name}_in_period`, count]));
};

const isFree = ({ id, day }: CountedEvent, free: readonly CountedEvent[]): boolean =>
  free.some((each) => each.id === id && Math.abs(monthOf(each.day) - monthOf(day)) <= 1);

/** Months since the year 0. */
const monthOf = (day: number): number => {
  const date = new Date(day * 86_400_000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

const halfEven = (value: number): number => {
  const exact = Number(value.toFixed(6));
  const floor = Math.floor(exact);
  if (exact - floor !== 0.5) return Math.round(exact);
  return floor % 2 === 0 ? floor : floor + 1;
};
