import { greatest, least } from "../../core/bigints.ts";
import { centsToNano } from "../../core/money.ts";
import { type Catalogue, type Item, type Plan, ratingTiers } from "../catalogue/catalogue.ts";
import type { BillingAccount } from "../customer/account.ts";
import type { CustomerState } from "../customer.ts";
import { type DailyUsage, daysBegun, daysIn, type Period, periodAt } from "../rating/period.ts";
import { quantityWithin } from "../rating/rating.ts";

/** Everything that an overview is made of. */
export interface Outlook {
  readonly customer: CustomerState;
  readonly catalogue: Catalogue;
  readonly usage: DailyUsage;
  readonly period: Period;
  readonly limits: CustomLimits;
  readonly now: number;
}

/** An outlook on the period that a moment lies in. */
export const outlookAt = (customer: CustomerState, catalogue: Catalogue, usage: DailyUsage, now: number): Outlook => {
  const period = periodAt(customer.account.anchor_day, now);
  return { customer, catalogue, usage, period, limits: limitsIn(customer.account, period), now };
};

/** Cents by product type or usage key; null for none. */
export type CustomLimits = Readonly<Record<string, number | null>>;

/** The limits that hold in a period: those that were set for the next one have become its own. */
export const limitsIn = (account: BillingAccount, { start }: Period): CustomLimits =>
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

/** The units that an item may use: a free plan's allocation, else what a limit pays for; null for no limit. */
export const unitLimit = (item: Item, plan: Plan, limits: CustomLimits): bigint | null => {
  const allocation = plan.is_free && plan.free_allocation !== null ? BigInt(plan.free_allocation) : null;
  const cents = itemLimit(limits, item);
  const paid = cents === null || plan.tiers === null ? null : quantityWithin(ratingTiers(plan), centsToNano(cents));
  return allocation === null || paid === null ? (allocation ?? paid) : least(allocation, paid);
};

const CENTS_PER_USD = 100;

/** An account with limits changed now, and those named lifted when the period ends. */
export const withLimits = (
  account: BillingAccount,
  period: Period,
  usd: Readonly<Record<string, number | null>>,
  reset: boolean | Readonly<Record<string, boolean>>,
): BillingAccount => {
  const cents = Object.entries(usd).map(([name, amount]) => [name, amount === null ? null : Math.round(amount * CENTS_PER_USD)]);
  const custom_limits = { ...limitsIn(account, period), ...Object.fromEntries(cents) };
  const lifted = Object.keys(custom_limits).filter((name) => (typeof reset === "boolean" ? reset : reset[name] === true));
  const next_limits = { ...limitsAfter(account, period), ...Object.fromEntries(lifted.map((name) => [name, null])) };
  return { ...account, custom_limits, next_limits, next_limits_set_in: period.start };
};

/** The use at the period's end if it goes on at today's pace; never less than the use so far. */
export const projectUsage = (used: bigint, period: Period, now: number): bigint =>
  greatest(used, (used * BigInt(daysIn(period))) / BigInt(daysBegun(period, now)));
