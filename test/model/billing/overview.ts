import { greatest, least, total } from "./amounts.ts";
import { takeOff } from "./coupons.ts";
import type { Ledger } from "./ledger.ts";
import { dayAt, daysOf, type Month, monthAt } from "./months.ts";
import { type Item, listAt } from "./price-lists.ts";
import { charges } from "./rating.ts";

/** Limits of cost by product, cents. */
export type Limits = ReadonlyMap<string, bigint>;

export interface Amounts {
  readonly current: bigint;
  readonly projected: bigint;
  readonly withLimit: bigint;
}

export interface ProductFigures extends Amounts {
  readonly type: string;
  readonly units: bigint;
  readonly projectedUnits: bigint;
}

export interface Overview {
  /** Products and addons, each by itself. */
  readonly items: readonly ProductFigures[];
  readonly full: Amounts;
  readonly reduced: Amounts;
}

/** What the month that a moment lies in comes to: until now, and at its end. */
export const overviewAt = (ledger: Ledger, limits: Limits, now: number): Overview => {
  const month = monthAt(now);
  const items = listAt(ledger.given, month.start)
    .flatMap((product) => [product, ...product.addons])
    .map((item) => figures(ledger, item, limits, month, now));
  const sum = (name: keyof Amounts): bigint => total(items.map((each) => each[name]));
  const less = (name: keyof Amounts, at: number): bigint => {
    const amounts = items.map((each) => ({ product: each.type, cents: each[name] }));
    return sum(name) - total(takeOff(amounts, ledger.claims, at).map(({ cents }) => cents));
  };
  const end = month.end - 1;
  return {
    items,
    full: { current: sum("current"), projected: sum("projected"), withLimit: sum("withLimit") },
    reduced: { current: less("current", now), projected: less("projected", end), withLimit: less("withLimit", end) },
  };
};

const figures = (ledger: Ledger, item: Item, limits: Limits, month: Month, now: number): ProductFigures => {
  const counted = ledger.unitsByDay(item.usageType, month);
  const foreseen = foreseenUnits(counted, month, now);
  const centsOf = (days: ReturnType<Ledger["days"]>): bigint => total(charges(item, days, month).map(({ cents }) => cents));
  const all = ledger.days(month, item, foreseen);
  const current = centsOf(all.filter(({ day }) => day <= dayAt(now)));
  const projected = centsOf(all);
  const limit = limits.get(item.type);
  return {
    type: item.type,
    units: total(counted.values()),
    projectedUnits: total(foreseen.values()),
    current,
    projected,
    // Nothing that is owed already is less than it is.
    withLimit: limit === undefined ? projected : greatest(current, least(projected, limit)),
  };
};

/** Units by day as they will be if use goes on at the pace of the days that have begun: what is to come, even over the days to come. */
const foreseenUnits = (counted: ReadonlyMap<number, bigint>, month: Month, now: number): ReadonlyMap<number, bigint> => {
  const days = daysOf(month);
  const begun = days.filter((day) => day <= dayAt(now)).length;
  const coming = days.slice(begun);
  const used = total(counted.values());
  const rest = (used * BigInt(days.length)) / BigInt(begun) - used;
  const through = (place: number): bigint => (coming.length === 0 ? 0n : (rest * BigInt(place)) / BigInt(coming.length));
  return new Map([...counted, ...coming.map((day, place) => [day, through(place + 1) - through(place)] as const)]);
};
