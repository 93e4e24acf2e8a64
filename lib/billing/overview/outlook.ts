import { greatest, least } from "../../core/bigints.ts";
import { centsToNano, type NanoDollars } from "../../core/money.ts";
import { DAY_MS } from "../../core/time.ts";
import { type Item, type Plan, type Products, ratingTiers } from "../catalogue/catalogue.ts";
import { type PeriodPrices, soldWith } from "../catalogue/period-prices.ts";
import type { BillingAccount } from "../customer/account.ts";
import type { SubscriptionItem } from "../customer/subscription.ts";
import type { CustomerState } from "../customer.ts";
import { type Charge, costOf, rateDays } from "../rating/charges.ts";
import { type DailyUsage, daysBegun, daysIn, type Period, totalUnits } from "../rating/period.ts";
import { heldAt, type PlanInForce, plansByDay, plansInForce } from "../rating/plans-by-day.ts";
import { quantityWithin, type Tier, tieredCost } from "../rating/rating.ts";

/** Everything that an overview is made of. */
export interface Outlook {
  readonly customer: CustomerState;
  readonly prices: PeriodPrices;
  /** What the list of the period sells, and what of lists before runs in it all the same. */
  readonly sold: Products;
  readonly usage: DailyUsage;
  /** The use of the whole period, if it goes on at today's pace. */
  readonly projectedUsage: DailyUsage;
  /** The costs of the days up to today. */
  readonly charges: readonly Charge[];
  /** The costs of all days of the period, if its use goes on and what is held stays. */
  readonly projectedCharges: readonly Charge[];
  /** The plan of each product that is in force, by the product's type. */
  readonly plans: ReadonlyMap<string, PlanInForce>;
  /** What is subscribed, a trial that has converted by now included. */
  readonly held: readonly SubscriptionItem[];
  readonly limits: CustomLimits;
  readonly now: number;
}

/** An outlook on the period that a moment lies in. */
export const outlookAt = (customer: CustomerState, prices: PeriodPrices, usage: DailyUsage, now: number): Outlook => {
  const { period } = prices;
  const runs = plansByDay(customer, prices, now);
  const projectedUsage = projectUsage(usage, period, now);
  return {
    customer,
    prices,
    sold: soldWith(
      prices,
      runs.map((run) => prices.plan(run)),
    ),
    usage,
    projectedUsage,
    charges: rateDays({ runs, usage, through: Math.floor(now / DAY_MS) }, prices),
    projectedCharges: rateDays({ runs, usage: projectedUsage }, prices),
    plans: plansInForce(customer, prices, now),
    held: heldAt(customer, prices, now),
    limits: limitsIn(customer.account, period),
    now,
  };
};

/** Cents by product type or usage key; null for none. */
export type CustomLimits = Readonly<Record<string, number | null>>;

/** The limits that hold in a period: those that were set for the next one have become its own. */
const limitsIn = (account: BillingAccount, { start }: Period): CustomLimits =>
  hasBegun(account, start) ? { ...account.custom_limits, ...account.next_limits } : account.custom_limits;

/** The limits that are set to hold from the period after this one. */
export const limitsAfter = (account: BillingAccount, { start }: Period): CustomLimits =>
  hasBegun(account, start) ? {} : account.next_limits;

const hasBegun = ({ next_limits_set_in }: BillingAccount, start: number): boolean =>
  next_limits_set_in !== null && next_limits_set_in < start;

/** The limit of an item in cents; null where it has none. */
export const itemLimit = (limits: CustomLimits, { type, usage_key }: Pick<Item, "type" | "usage_key">): bigint | null => {
  const cents = limits[type] ?? (usage_key === null ? null : limits[usage_key]) ?? null;
  return cents === null ? null : BigInt(cents);
};

/**
 * The units that an item may use in the period: a free plan's allocation, else what a limit still pays for, after what the days so far
 * have cost; null for no limit. What is tried costs nothing, however much is used.
 */
export const unitLimit = (item: Item, plan: Plan, { plans, limits, charges, usage }: Outlook): bigint | null => {
  const allocation = plan.is_free && plan.free_allocation !== null ? BigInt(plan.free_allocation) : null;
  const cents = plans.get(item.type)?.isTrial === true ? null : itemLimit(limits, item);
  const paid = cents === null || plan.tiers === null ? null : paidFor(item, ratingTiers(plan), centsToNano(cents), charges, usage);
  return allocation === null || paid === null ? (allocation ?? paid) : least(allocation, paid);
};

/** The units, those used included, after which the use of an item has cost a limit. */
const paidFor = (item: Item, tiers: readonly Tier[], limit: NanoDollars, charges: readonly Charge[], usage: DailyUsage): bigint | null => {
  const spent = charges.filter((charge) => charge.kind === "use" && charge.item.type === item.type).flatMap(({ days }) => days);
  const used = totalUnits(usage, item.usage_type);
  // Under one plan for the whole period this is the limit itself.
  const reach = quantityWithin(tiers, limit - costOf(spent) + tieredCost(tiers, used));
  return reach === null ? null : least(greatest(reach, 0n), MOST_UNITS);
};

/** As many units as JSON tells exactly: where each costs next to nothing a limit may pay for more than anybody ever counts. */
const MOST_UNITS = BigInt(Number.MAX_SAFE_INTEGER);

const CENTS_PER_USD = 100;

/** Whether limits are lifted when the period ends, all or by name; undefined for what was said of it before. */
export type LimitReset = boolean | Readonly<Record<string, boolean>> | undefined;

/** An account with limits changed now, and with those that are lifted when the period ends. */
export const withLimits = (
  account: BillingAccount,
  period: Period,
  usd: Readonly<Record<string, number | null>>,
  reset: LimitReset,
): BillingAccount => {
  const cents = Object.entries(usd).map(([name, amount]) => [name, amount === null ? null : Math.round(amount * CENTS_PER_USD)]);
  const custom_limits = { ...limitsIn(account, period), ...Object.fromEntries(cents) };
  const isLifted = (name: string): boolean | undefined => (typeof reset === "object" ? reset[name] : reset);
  const known = Object.entries(limitsAfter(account, period)).filter(([name]) => isLifted(name) !== false);
  const lifted = Object.keys(custom_limits).filter((name) => isLifted(name) === true);
  const next_limits = Object.fromEntries([...known, ...lifted.map((name) => [name, null] as const)]);
  return { ...account, custom_limits, next_limits, next_limits_set_in: period.start };
};

/** The use of a period if it goes on at today's pace, even on the days to come; never less than the use so far. */
const projectUsage = (usage: DailyUsage, period: Period, now: number): DailyUsage => {
  const [length, begun] = [daysIn(period), daysBegun(period, now)];
  const first = period.start / DAY_MS + begun;
  const left = BigInt(length - begun);
  return new Map(
    [...usage].map(([type, days]) => {
      const used = totalUnits(usage, type);
      const more = greatest(used, (used * BigInt(length)) / BigInt(begun)) - used;
      const through = (day: bigint): bigint => (more * day) / left;
      const then = new Map(days);
      for (let at = 0; at < length - begun; at += 1) {
        const day = first + at;
        then.set(day, (then.get(day) ?? 0n) + through(BigInt(at) + 1n) - through(BigInt(at)));
      }
      return [type, then];
    }),
  );
};
