import * as fc from "fast-check";
import type { Campaign } from "../model/billing/coupons.ts";
import { DAY_MS, type Month, shifted } from "../model/billing/months.ts";
import type { PriceList } from "../model/billing/price-lists.ts";
import type { Interval } from "../model/billing/series.ts";
import { type ProductType, priceList, ROLES, USAGE_TYPES } from "./price-list.ts";

/** Random histories of a customer and its operator. */

export const MONTHS = 14;
const START = Date.UTC(2026, 0);
export const monthNumber = (number: number): Month => shifted(START, number);

/** A moment of a history: which day of which month, and which millisecond of it. */
interface When {
  readonly month: number;
  readonly day: number;
  readonly time: number;
}

export const momentOf = ({ month, day, time }: When): number => {
  const { start, end } = monthNumber(month);
  return Math.min(start + day * DAY_MS, end - DAY_MS) + time;
};

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Often at the edges of a day, and of its halves. */
const time = fc.oneof(
  fc.constantFrom(
    1,
    MINUTE_MS,
    6 * HOUR_MS,
    12 * HOUR_MS - 1,
    12 * HOUR_MS,
    12 * HOUR_MS + 1,
    18 * HOUR_MS,
    DAY_MS - MINUTE_MS,
    DAY_MS - 1,
  ),
  fc.integer({ min: 1, max: DAY_MS - 1 }),
);
const when = fc.record({ month: fc.nat({ max: MONTHS - 1 }), day: fc.oneof(fc.nat({ max: 30 }), fc.constantFrom(0, 14, 30)), time });

const product = fc.constantFrom<ProductType>("product_analytics", "product_analytics", "enhanced_persons", "surveys", "boost");

/** A plan by its product and the beginning of its key. */
const chosen = product.chain((type) => fc.constantFrom(...ROLES[type]).map((role) => ({ product: type, role })));

const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("activate" as const), plan: chosen }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("activate all" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("deactivate" as const), product, atEnd: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("switch" as const), product, to: chosen }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("excursion" as const),
      to: chosen,
      lengthMs: fc.constantFrom(MINUTE_MS, 2 * MINUTE_MS, 5 * HOUR_MS, 2 * DAY_MS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("try" as const),
      type: fc.constantFrom("standard" as const, "autosubscribe" as const),
      target: fc.constantFrom("paid", "surveys", "boost", "enhanced_persons", "product_analytics"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel trial" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("limit" as const), product, cents: fc.option(fc.integer({ min: 0, max: 50_000 })) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("claim" as const), campaign: fc.nat({ max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("credit" as const),
      usd: fc.integer({ min: 1, max: 200 }),
      isBought: fc.boolean(),
      days: fc.option(fc.integer({ min: 1, max: 90 })),
    }),
  },
);
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Price lists that come into force the month after they are given, later, or within a month; some of them are the one before the last again. */
const listChange = fc.record({
  when,
  list: fc.oneof({ weight: 3, arbitrary: priceList }, { weight: 2, arbitrary: fc.constant("the one before" as const) }),
  from: fc.constantFrom(
    "by default" as const,
    "by default" as const,
    "by default" as const,
    "a month later" as const,
    "in the middle" as const,
  ),
});
export type ListChange = typeof listChange extends fc.Arbitrary<infer T> ? T : never;

/** What a project used on a day, and how long after that day it was known; counts again later, of as much more or less. */
const count = fc.record({
  month: fc.nat({ max: MONTHS - 1 }),
  day: fc.nat({ max: 30 }),
  type: fc.constantFrom(...USAGE_TYPES),
  project: fc.integer({ min: 1, max: 2 }),
  units: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 5_000 })),
  again: fc.option(
    fc.record({
      days: fc.integer({ min: 1, max: 100 }),
      units: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 5_000 })),
    }),
    { freq: 4 },
  ),
  lateDays: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 90 }) }),
});
export type Count = typeof count extends fc.Arbitrary<infer T> ? T : never;

/** What becomes of the invoice of a month, and how many days after it is made. */
const settlement = fc.record({
  step: fc.constantFrom("pay" as const, "pay" as const, "pay" as const, "pay" as const, "void" as const, "write_off" as const, null),
  days: fc.constantFrom(0, 0, 0, 1, 20),
});
export type Settlement = typeof settlement extends fc.Arbitrary<infer T> ? T : never;

const campaign = (slug: string): fc.Arbitrary<Campaign> =>
  fc
    .record({
      kind: fc.constantFrom("percent" as const, "amount" as const),
      value: fc.integer({ min: 1, max: 9_000 }),
      duration: fc.constantFrom("once" as const, "periods" as const, "forever" as const),
      products: fc.constantFrom<readonly string[] | null>(null, null, ["surveys"], ["product_analytics"]),
      validDays: fc.constantFrom(null, null, 45),
    })
    .map((given) => ({ slug, periods: given.duration === "periods" ? 2 : null, ...given }));

const look = fc.record({ when, days: fc.integer({ min: 0, max: 100 }), interval: fc.constantFrom<Interval>("day", "week", "month") });
export type Look = typeof look extends fc.Arbitrary<infer T> ? T : never;

export const history = fc.record({
  list: priceList as fc.Arbitrary<PriceList>,
  campaigns: fc.tuple(campaign("c0"), campaign("c1"), campaign("c2"), campaign("c3")),
  acts: fc.array(fc.record({ when, act }), { minLength: 10, maxLength: 60, size: "max" }),
  lists: fc.array(listChange, { maxLength: 10, size: "max" }),
  counts: fc.array(count, { minLength: 30, maxLength: 150, size: "max" }),
  /** How late the schedule runs, milliseconds. */
  lagMs: fc.constantFrom(0, 0, 30 * MINUTE_MS, 30 * HOUR_MS),
  settlements: fc.array(settlement, { minLength: MONTHS, maxLength: MONTHS }),
  looks: fc.array(look, { minLength: 10, maxLength: 30, size: "max" }),
});
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
