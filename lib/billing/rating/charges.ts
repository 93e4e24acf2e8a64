import { greatest, halfEven } from "../../core/bigints.ts";
import { NANO_PER_CENT, parseUsd, roundToCents } from "../../core/money.ts";
import { DAY_MS } from "../../core/time.ts";
import { type Catalogue, findItem, findPlan, type Item, type Plan, ratingTiers } from "../catalogue/catalogue.ts";
import type { Subscription, SubscriptionItem } from "../customer/subscription.ts";
import { type DailyUsage, daysIn, type Period, unitsOn } from "./period.ts";
import { tieredCost } from "./rating.ts";

/** The cost of one item of a subscription in a period: by use, or as a fee. Rounded to cents once. */
export interface Charge {
  readonly kind: "use" | "fee";
  readonly item: Item;
  readonly plan: Plan;
  readonly quantity: bigint;
  /** The last day whose use counts, for a product that ended; null for one that runs. */
  readonly lastDay: number | null;
  readonly cents: bigint;
}

/**
 * The charges of a subscription in a period. A product that was subscribed at any time of it is charged for the whole period's use up
 * to the day that it ended on; a fee only for the whole days that it ran.
 */
export const subscriptionCharges = (
  subscription: Pick<Subscription, "items"> | undefined,
  catalogue: Catalogue,
  period: Period,
  usage: DailyUsage,
): readonly Charge[] => {
  const running = (subscription?.items ?? []).filter((each) => runsIn(each, period));
  const last = new Map(running.toSorted((a, b) => a.since - b.since).map((each) => [each.product, each]));
  return running.flatMap((each) => {
    const item = findItem(catalogue, each.product);
    const plan = item && findPlan(item, each.plan_key);
    if (item === undefined || plan === undefined) return [];
    const charges: Charge[] = [];
    if (plan.tiers !== null && last.get(each.product) === each) charges.push(useCharge(item, plan, each, usage));
    if (plan.flat_amount_usd !== null) charges.push(feeCharge(item, plan, plan.flat_amount_usd, each, period));
    return charges;
  });
};

/** Whether an item ran in a period. One that ends with the period before has nothing to do with this one. */
export const runsIn = ({ since, until }: SubscriptionItem, { start, end }: Period): boolean =>
  since < end && (until === null || until > start);

const useCharge = (item: Item, plan: Plan, { until }: SubscriptionItem, usage: DailyUsage): Charge => {
  const lastDay = until === null ? null : Math.floor(until / DAY_MS);
  const quantity = unitsOn(usage, item.usage_type, lastDay === null ? {} : { to: lastDay });
  return { kind: "use", item, plan, quantity, lastDay, cents: roundToCents(tieredCost(ratingTiers(plan), quantity)) };
};

const feeCharge = (item: Item, plan: Plan, usd: string, { since, until }: SubscriptionItem, period: Period): Charge => {
  const first = Math.floor(Math.max(since, period.start) / DAY_MS);
  const behind = Math.floor(Math.min(until ?? period.end, period.end) / DAY_MS);
  const days = greatest(0n, BigInt(behind - first));
  const cents = halfEven(parseUsd(usd) * days, NANO_PER_CENT * BigInt(daysIn(period)));
  return { kind: "fee", item, plan, quantity: days, lastDay: null, cents };
};
