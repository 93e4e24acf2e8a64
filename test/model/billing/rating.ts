import { halfEven, NANO_PER_CENT } from "./amounts.ts";
import { endOf, type Holdings, isTrialOf, planIn } from "./holdings.ts";
import { DAY_MS, daysOf, type Month } from "./months.ts";
import { defaultPlan, type GivenList, type Item, listAt, type Plan, tieredCost } from "./price-lists.ts";

/** The cost of each day of a product in a month. Everything else is a sum of these. */
export interface DayCost {
  readonly day: number;
  readonly plan: Plan;
  readonly isTrial: boolean;
  readonly units: bigint;
  /** What the day's units cost, nano-dollars. */
  readonly useNano: bigint;
  /** The price of a month that the day has a part of: one of as many as the month has days. */
  readonly feeNano: bigint;
}

/** The plan that a day of a product is rated by. */
interface Ruling {
  readonly plan: Plan;
  readonly isTrial: boolean;
}

/** Days of a product on which something is held or tried, each with its cost; `units` are all units of the month, by day. */
export const dayCosts = (
  holdings: Holdings,
  given: readonly GivenList[],
  month: Month,
  item: Item,
  units: ReadonlyMap<number, bigint>,
  now: number,
): readonly DayCost[] => {
  const costs: DayCost[] = [];
  const spans = spansOf(holdings, given, month, item);
  let before = 0n;
  for (const day of daysOf(month)) {
    const own = units.get(day) ?? 0n;
    const through = before + own;
    const ruling = rulingOn(spans, day, now);
    if (ruling !== undefined) {
      const { plan, isTrial } = ruling;
      const isFree = isTrial || plan.isFree;
      const tiers = isFree ? null : plan.tiers;
      const useNano = tiers === null ? 0n : tieredCost(tiers, through) - tieredCost(tiers, before);
      costs.push({ day, plan, isTrial, units: own, useNano, feeNano: isFree ? 0n : (plan.flatNano ?? 0n) });
    }
    before = through;
  }
  return costs;
};

/**
 * The plan that was in force for most of a day; of two, the one that was later. Nothing rules it where nothing was in force for most of
 * it; but while a day goes on, what is in force then rules it rather than nothing.
 */
const rulingOn = (all: readonly Span[], day: number, now: number): Ruling | undefined => {
  const [start, end] = [day * DAY_MS, (day + 1) * DAY_MS];
  const isRunning = now >= start && now < end && all.some(({ from, to }) => from <= now && to > now);
  const spans = all.filter(({ from, to }) => from < end && to > start);
  const edges = spans.flatMap(({ from, to }) => [Math.max(from, start), Math.min(to, end)]);
  const moments = [...new Set([start, end, ...edges])].sort((a, b) => a - b);
  const times = new Map<string, { ruling: Ruling | undefined; length: number; last: number }>();
  for (const [at, from] of moments.entries()) {
    const to = moments[at + 1];
    if (to === undefined) break;
    const running = spans.filter((span) => span.from <= from && span.to >= to);
    const ruling = running.find(({ rank }) => rank === Math.max(...running.map((each) => each.rank)));
    if (ruling === undefined && isRunning) continue;
    const name = ruling === undefined ? "" : `${ruling.isTrial} ${ruling.plan.key}`;
    times.set(name, { ruling, length: (times.get(name)?.length ?? 0) + to - from, last: to });
  }
  const [longest] = [...times.values()].sort((one, other) => other.length - one.length || other.last - one.last);
  return longest?.ruling;
};

interface Span extends Ruling {
  readonly from: number;
  readonly to: number;
  /** At one moment, what is paid for wins over what is tried, and that over what is free. */
  readonly rank: number;
}

const spansOf = (holdings: Holdings, given: readonly GivenList[], month: Month, item: Item): readonly Span[] => {
  const held = holdings.stretches
    .filter(({ product }) => product === item.type)
    .flatMap((stretch): readonly Span[] => {
      const plan = planIn(given, stretch, month);
      if (plan === undefined) return [];
      return [{ plan, isTrial: false, from: stretch.since, to: stretch.until ?? Number.POSITIVE_INFINITY, rank: plan.isFree ? 0 : 2 }];
    });
  const products = listAt(given, month.start).map(({ type }) => type);
  const plan = defaultPlan(item);
  const tried = holdings.trials
    .filter((trial) => plan !== undefined && isTrialOf(trial, item.type, products))
    .flatMap((trial) => (plan === undefined ? [] : [{ plan, isTrial: true, from: trial.startedAt, to: endOf(trial), rank: 1 }]));
  return [...held, ...tried];
};

/** What a product costs under one plan, by use or as a fee: rounded once. */
export interface Charge {
  readonly product: string;
  readonly planKey: string;
  readonly kind: "use" | "fee";
  /** Units, or days. */
  readonly quantity: bigint;
  readonly cents: bigint;
}

/** The sums of days by plan and kind; those that come to nothing of anything are left out. */
export const charges = ({ type }: Item, costs: readonly DayCost[], month: Month): readonly Charge[] =>
  [
    ...Map.groupBy(
      costs.filter(({ isTrial, plan }) => !isTrial && !plan.isFree),
      ({ plan }) => plan.key,
    ),
  ].flatMap(([planKey, days]) => {
    const sum = (amount: (cost: DayCost) => bigint): bigint => days.reduce((so, cost) => so + amount(cost), 0n);
    const monthDays = BigInt(daysOf(month).length);
    const use = {
      product: type,
      planKey,
      kind: "use" as const,
      quantity: sum(({ units }) => units),
      cents: halfEven(
        sum(({ useNano }) => useNano),
        NANO_PER_CENT,
      ),
    };
    const fee = {
      product: type,
      planKey,
      kind: "fee" as const,
      quantity: BigInt(days.length),
      cents: halfEven(
        sum(({ feeNano }) => feeNano),
        NANO_PER_CENT * monthDays,
      ),
    };
    return [...(days.some(({ plan }) => plan.tiers !== null) ? [use] : []), ...(days.some(({ feeNano }) => feeNano > 0n) ? [fee] : [])];
  });
