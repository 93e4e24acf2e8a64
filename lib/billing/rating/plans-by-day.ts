import { DAY_MS } from "../../core/time.ts";
import type { Plan } from "../catalogue/catalogue.ts";
import type { PeriodPrices } from "../catalogue/period-prices.ts";
import { itemsAt, type Subscription, type SubscriptionItem } from "../customer/subscription.ts";
import { conversionChoices, type Trial, trialChoices, trialEnd } from "../customer/trial.ts";
import type { Period } from "./period.ts";
import { cut, type PlanDays } from "./plan-days.ts";

/** What a customer has held and tried. */
export interface Terms {
  readonly subscription: Pick<Subscription, "items" | "days" | "folded_until"> | undefined;
  readonly trials: readonly Trial[];
}

/** A plan of a product from one moment to another. */
interface Span {
  readonly product: string;
  readonly plan_key: string;
  /** Of plans that are in force at once the first of these counts: what is paid for, what is tried, what is free. */
  readonly rank: 0 | 1 | 2;
  readonly start: number;
  readonly end: number;
}

/**
 * The plan that each product ran on, on each day of a period: the one that was in force for most of the day, of two that were as long
 * the later. Where nothing was held or tried for most of it, it ran on none. Until the day of `now` is over, what is in force of a
 * product counts on it although nothing may have been for most of the day.
 */
export const plansByDay = (terms: Terms, prices: PeriodPrices, now: number): readonly PlanDays[] => {
  const [first, last] = [prices.period.start / DAY_MS, prices.period.end / DAY_MS - 1];
  const from = Math.max(first, terms.subscription?.folded_until ?? 0);
  const kept = cut(terms.subscription?.days ?? [], first, last);
  if (from > last) return kept;
  const byProduct = Map.groupBy(spansIn(terms, prices, { start: from * DAY_MS, end: prices.period.end }), ({ product }) => product);
  return [...kept, ...[...byProduct.values()].flatMap((spans) => daysOf(spans, { from, to: last }, now))];
};

/** The plan of a product that is in force at a moment. */
export interface PlanInForce {
  readonly plan: Plan;
  readonly isTrial: boolean;
}

/** The plan of each product that was in force at a moment: what is paid for before what is tried, and that before what is free. */
export const plansInForce = (terms: Terms, prices: PeriodPrices, at: number): ReadonlyMap<string, PlanInForce> => {
  const plans = new Map<string, PlanInForce>();
  // The first is set last.
  for (const span of spansIn(terms, prices, { start: at, end: at + 1 })
    .toSorted(before)
    .reverse()) {
    const priced = prices.plan(span);
    if (priced !== undefined) plans.set(span.product, { plan: priced.plan, isTrial: isTrial(span) });
  }
  return plans;
};

/** The items that were subscribed at a moment. */
export const heldAt = (terms: Terms, prices: PeriodPrices, at: number): readonly SubscriptionItem[] =>
  itemsAt(heldItems(terms, prices), at);

/** Everything that was in force at any time between two moments, cut to it. */
const spansIn = (terms: Terms, prices: PeriodPrices, { start, end }: Period): readonly Span[] => {
  const held = heldItems(terms, prices).flatMap(({ product, plan_key, since, until }): readonly Span[] => {
    const priced = prices.plan({ product, plan_key }, since);
    if (priced === undefined) return [];
    return [
      { product, plan_key: priced.plan.plan_key, rank: priced.plan.is_free ? 2 : 0, start: since, end: until ?? Number.POSITIVE_INFINITY },
    ];
  });
  const tried = terms.trials.flatMap((trial) =>
    trialChoices(prices.catalogue, trial).map((choice): Span => ({ ...choice, rank: 1, start: trial.started_at, end: trialEnd(trial) })),
  );
  return [...held, ...tried]
    .map((span) => ({ ...span, start: Math.max(span.start, start), end: Math.min(span.end, end) }))
    .filter((span) => span.start < span.end);
};

/** The items of a subscription, with those that trials convert to although nobody has written that down yet. */
const heldItems = ({ subscription, trials }: Terms, prices: PeriodPrices): readonly SubscriptionItem[] => {
  const items = subscription?.items ?? [];
  const converting = trials.filter(({ status, type }) => status === "active" && type === "autosubscribe");
  return [
    ...items,
    ...converting.flatMap((trial) =>
      conversionChoices(items, trial, prices).map((choice) => ({ ...choice, since: trial.expires_at, until: null })),
    ),
  ];
};

const isTrial = ({ rank }: Span): boolean => rank === 1;

const before = (one: Span, other: Span): number => one.rank - other.rank || other.start - one.start;

/** The days of one product, as few runs as possible. */
const daysOf = (spans: readonly Span[], { from, to }: { readonly from: number; readonly to: number }, now: number): readonly PlanDays[] => {
  const isHeldNow = spans.some(({ start, end }) => start <= now && end > now);
  const runs: PlanDays[] = [];
  for (let day = from; day <= to; day += 1) {
    const longest = longestOn(spans, day, { nothingCounts: !(isHeldNow && day === dayAt(now)) });
    if (longest !== undefined) append(runs, planDays(longest, day));
  }
  return runs;
};

const dayAt = (at: number): number => Math.floor(at / DAY_MS);

const planDays = (span: Span, day: number): PlanDays => ({
  product: span.product,
  plan_key: span.plan_key,
  is_trial: isTrial(span),
  first_day: day,
  last_day: day,
});

/** What was in force for most of a day; of two that were as long, the later. Undefined for nothing. */
const longestOn = (spans: readonly Span[], day: number, { nothingCounts }: { readonly nothingCounts: boolean }): Span | undefined => {
  const [start, end] = [day * DAY_MS, (day + 1) * DAY_MS];
  const own = spans.filter((span) => span.start < end && span.end > start);
  const [only] = own;
  if (only !== undefined && own.length === 1 && only.start <= start && only.end >= end) return only;
  const cuts = [...new Set([start, end, ...own.flatMap((span) => [Math.max(span.start, start), Math.min(span.end, end)])])].sort(
    (one, other) => one - other,
  );
  const times = new Map<string, { readonly span: Span | undefined; readonly ms: number }>();
  for (const [at, from] of cuts.entries()) {
    const to = cuts[at + 1] ?? from;
    const [span] = own.filter((each) => each.start <= from && each.end >= to).toSorted(before);
    if (to === from || (span === undefined && !nothingCounts)) continue;
    const name = span === undefined ? "" : `${isTrial(span)} ${span.plan_key}`;
    const ms = (times.get(name)?.ms ?? 0) + to - from;
    // What comes later goes behind, so that of two that were as long the later is found last.
    times.delete(name);
    times.set(name, { span, ms });
  }
  let longest: { readonly span: Span | undefined; readonly ms: number } | undefined;
  for (const each of times.values()) if (longest === undefined || each.ms >= longest.ms) longest = each;
  return longest?.span;
};

/**
 * A subscription with the days that are over told by days, and without the items that ended on them. The items that run bear the keys
 * that their plans have in the period of `now`.
 */
export const foldDays = (
  subscription: Subscription,
  trials: readonly Trial[],
  pricesAt: (moment: number) => PeriodPrices,
  now: number,
): Subscription => {
  const today = dayAt(now);
  const first = dayAt(Math.min(now, ...subscription.items.map(({ since }) => since), ...trials.map(({ started_at }) => started_at)));
  const from = Math.max(subscription.folded_until, first);
  const days: PlanDays[] = subscription.days.filter(({ last_day }) => last_day < from);
  for (let at = from * DAY_MS; at < today * DAY_MS; at = pricesAt(at).period.end) {
    const prices = pricesAt(at);
    const upTo = Math.min(today, prices.period.end / DAY_MS) - 1;
    for (const run of cut(plansByDay({ subscription, trials }, prices, now), from, upTo)) append(days, run);
  }
  const current = pricesAt(now);
  const items = subscription.items
    .filter(({ until }) => until === null || until > today * DAY_MS)
    .map((item) => {
      const plan_key = current.plan(item, item.since)?.plan.plan_key ?? item.plan_key;
      return plan_key === item.plan_key ? item : { ...item, plan_key, since: Math.max(item.since, current.period.start) };
    });
  return { ...subscription, days, items, folded_until: Math.max(subscription.folded_until, today) };
};

/** Adds a run, or goes on with the one that it goes on from. */
const append = (runs: PlanDays[], run: PlanDays): void => {
  const at = runs.findLastIndex(
    ({ product, plan_key, is_trial, last_day }) =>
      product === run.product && plan_key === run.plan_key && is_trial === run.is_trial && last_day === run.first_day - 1,
  );
  const before = runs[at];
  if (before === undefined) runs.push(run);
  else runs[at] = { ...before, last_day: run.last_day };
};
