import { halfEven } from "../../core/bigints.ts";
import { NANO_PER_CENT, NANO_PER_MICRO, type NanoDollars, parseUsd, roundToCents } from "../../core/money.ts";
import { pricingType } from "../../usage/identifiers.ts";
import { type Item, type Plan, ratingTiers } from "../catalogue/catalogue.ts";
import type { PeriodPrices } from "../catalogue/period-prices.ts";
import { type DailyUsage, daysIn, type Period } from "./period.ts";
import { cut, type PlanDays } from "./plan-days.ts";
import { tieredCost } from "./rating.ts";

/** What one day adds to a charge. */
export interface DayCost {
  /** Days since 1970. */
  readonly day: number;
  /** Units of the period before this day; 0 for a fee. */
  readonly before: bigint;
  /** Units of this day; 1 for a day of a fee. */
  readonly units: bigint;
  readonly nano: NanoDollars;
}

/** The cost of one product under one plan in a period, by use or as a fee: the sum of its days, rounded to cents once. */
export interface Charge {
  readonly kind: "use" | "fee";
  readonly item: Item;
  readonly plan: Plan;
  /** Ascending. */
  readonly days: readonly DayCost[];
  /** Units, or days of a fee. */
  readonly quantity: bigint;
  readonly cents: bigint;
}

/** What is rated: what the products of a period ran on, and what was used of them. */
export interface Rated {
  readonly runs: readonly PlanDays[];
  readonly usage: DailyUsage;
  /** The last day whose fees are due by now; all of the period where it is left out. */
  readonly through?: number;
}

/**
 * The cost of a period, product by product and day by day: everything that says what something costs is a sum of these. A day's units
 * are rated by the plan of the day, at the positions that the units of the period before it have reached, whatever they were rated by;
 * a plan's fee is shared among all days of the period. Nothing is asked for days on a trial or on a free plan.
 */
export const rateDays = (
  { runs, usage, through = Number.POSITIVE_INFINITY }: Rated,
  { plan, period }: Pick<PeriodPrices, "plan" | "period">,
): readonly Charge[] => {
  const positions = new Map<string, readonly Position[]>();
  const positionsIn = (type: string): readonly Position[] => {
    const known = positions.get(type) ?? positionsOf(usage, type);
    positions.set(type, known);
    return known;
  };
  const charged = Map.groupBy(
    runs.filter(({ is_trial }) => !is_trial).toSorted((a, b) => a.first_day - b.first_day),
    ({ product, plan_key }) => `${product} ${plan_key}`,
  );
  return [...charged.values()].flatMap((own) => {
    const priced = own[0] && plan(own[0]);
    if (priced === undefined || priced.plan.is_free) return [];
    const { item, plan: held } = priced;
    const charges: Charge[] = [];
    if (held.tiers !== null) charges.push(useCharge(item, held, own, positionsIn(pricingType(item.usage_type ?? ""))));
    if (held.flat_amount_usd !== null)
      charges.push(feeCharge(item, held, held.flat_amount_usd, cut(own, Number.NEGATIVE_INFINITY, through), period));
    return charges;
  });
};

/** Where the units of a day lie among those of its period. */
type Position = Pick<DayCost, "day" | "before" | "units">;

const positionsOf = (usage: DailyUsage, type: string): readonly Position[] => {
  let before = 0n;
  return [...(usage.get(type) ?? [])]
    .sort(([one], [other]) => one - other)
    .map(([day, units]) => {
      const position = { day, before, units };
      before += units;
      return position;
    });
};

const useCharge = (item: Item, plan: Plan, runs: readonly PlanDays[], positions: readonly Position[]): Charge => {
  const tiers = ratingTiers(plan);
  const days = positions
    .filter(({ day }) => runs.some(({ first_day, last_day }) => day >= first_day && day <= last_day))
    .map((position): DayCost => {
      const { before, units } = position;
      return { ...position, nano: tieredCost(tiers, before + units) - tieredCost(tiers, before) };
    });
  const quantity = days.reduce((sum, { units }) => sum + units, 0n);
  return { kind: "use", item, plan, days, quantity, cents: roundToCents(costOf(days)) };
};

/** The cost of some days, before it is rounded. */
export const costOf = (days: readonly DayCost[]): NanoDollars => days.reduce((sum, { nano }) => sum + nano, 0n);

const feeCharge = (item: Item, plan: Plan, usd: string, runs: readonly PlanDays[], period: Period): Charge => {
  const whole = parseUsd(usd);
  const length = BigInt(daysIn(period));
  const dates = runs.flatMap(({ first_day, last_day }) => Array.from({ length: last_day - first_day + 1 }, (_, at) => first_day + at));
  // In whole millionths of a dollar, as amounts of a day are sent, so that the days of a period add up to its fee.
  const throughDay = (count: number): NanoDollars => ((whole * BigInt(count)) / (length * NANO_PER_MICRO)) * NANO_PER_MICRO;
  const days = dates.map((day, at): DayCost => ({ day, before: 0n, units: 1n, nano: throughDay(at + 1) - throughDay(at) }));
  const quantity = BigInt(days.length);
  return { kind: "fee", item, plan, days, quantity, cents: halfEven(whole * quantity, NANO_PER_CENT * length) };
};
