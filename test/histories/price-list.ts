import * as fc from "fast-check";
import type { Item, Plan, PriceList, Tier } from "../model/billing/price-lists.ts";

/** Random price lists of the same products: prices change, and so do the keys of plans. */

const NANO = 1_000_000_000n;

/** Nano-dollars of a unit: some with a half cent or a third in them, so that rounding matters. */
const price = fc.constantFrom(5_000_000n, 50_000n, 34_300n, 333_333n, 1_234_567n, 15_000_000n, 0n);
/** Nano-dollars of a month, or of a tier. */
const flat = fc.constantFrom(250n * NANO, 19_990_000_000n, 750n * NANO, 999_990_000_000n, 1n * NANO);
/** Plans of another generation have other keys. */
const generation = fc.constantFrom("2026", "2027", "2028");

const tier = (upTo: number | null, unitNano: bigint, flatNano = 0n): Tier => ({ upTo, unitNano, flatNano });
const plan = (key: string, given: Partial<Plan>): Plan => ({ key, isFree: false, tiers: null, flatNano: null, ...given });
const free = plan("free", { isFree: true });
const item = (type: string, usageType: string | null, plans: readonly Plan[], trialDays: number | null = null): Item => ({
  type,
  usageType,
  trialDays,
  plans,
});

export const priceList: fc.Arbitrary<PriceList> = fc
  .record({
    events: fc.tuple(generation, price, price),
    scale: fc.tuple(generation, price, price, flat),
    persons: fc.tuple(generation, price),
    surveys: fc.tuple(generation, price, price, flat),
    boost: fc.tuple(generation, flat, flat),
  })
  .map(({ events, scale, persons, surveys, boost }): PriceList => {
    const eventPlans = [
      free,
      plan(`paid-${events[0]}`, { tiers: [tier(1_000, 0n), tier(4_000, events[1]), tier(null, events[2])] }),
      plan(`scale-${scale[0]}`, { tiers: [tier(500, scale[1]), tier(6_000, scale[2], scale[3]), tier(null, scale[1])] }),
    ];
    const personPlans = [free, plan(`persons-${persons[0]}`, { tiers: [tier(700, 0n), tier(null, persons[1])] })];
    const surveyPlans = [
      plan(`answers-${surveys[0]}`, { tiers: [tier(100, surveys[1]), tier(null, surveys[2])] }),
      plan(`fixed-${surveys[0]}`, { tiers: [tier(2_000, 0n), tier(null, surveys[1])], flatNano: surveys[3] }),
    ];
    const boostPlans = [plan(`small-${boost[0]}`, { flatNano: boost[1] }), plan(`large-${boost[0]}`, { flatNano: boost[2] })];
    return [
      {
        ...item("product_analytics", "event_count_in_period", eventPlans),
        addons: [item("enhanced_persons", "enhanced_persons_event_count_in_period", personPlans)],
      },
      { ...item("surveys", "survey_responses_count_in_period", surveyPlans, 10), addons: [] },
      { ...item("platform_and_support", null, [free, plan("base", {})]), addons: [item("boost", null, boostPlans, 3)] },
    ];
  });

/** What every list sells: the beginnings of the keys of its plans. */
export const ROLES = {
  product_analytics: ["free", "paid", "scale"],
  enhanced_persons: ["free", "persons"],
  surveys: ["answers", "fixed"],
  boost: ["small", "large"],
} as const;
export type ProductType = keyof typeof ROLES;

/** The identifiers that are counted. */
export const USAGE_TYPES = ["event_count_in_period", "enhanced_persons_event_count_in_period", "survey_responses_count_in_period"] as const;

const keysOf = (list: PriceList): readonly string[] =>
  list.flatMap((product) => [product, ...product.addons]).flatMap(({ plans }) => plans.map(({ key }) => key));

const roleOf = (key: string): string => key.replace(/-\d+$/, "");

/** The key of a plan in a list, by its beginning. */
export const keyIn = (list: PriceList, role: string): string => keysOf(list).find((key) => roleOf(key) === role) ?? role;

/** What takes the place of plans that a list does not have and lists before it had. */
export const replacements = (list: PriceList, before: readonly PriceList[]): Readonly<Record<string, string>> => {
  const own = new Set(keysOf(list));
  const gone = before.flatMap(keysOf).filter((key) => !own.has(key));
  return Object.fromEntries(gone.map((key) => [key, keyIn(list, roleOf(key))]));
};

/** A list as an operator writes it. */
export const listDocument = (list: PriceList) => ({
  products: list.map(({ addons, ...product }) => ({ ...itemEntry(product), addons: addons.map(itemEntry) })),
});

const USAGE_KEYS: Readonly<Record<string, string>> = {
  event_count_in_period: "events",
  enhanced_persons_event_count_in_period: "enhanced_persons",
  survey_responses_count_in_period: "survey_responses",
};

const itemEntry = ({ type, usageType, trialDays, plans }: Item) => ({
  type,
  name: type,
  usage_type: usageType,
  usage_key: usageType === null ? null : (USAGE_KEYS[usageType] ?? null),
  trial: trialDays === null ? null : { length: trialDays },
  plans: plans.map(({ key, isFree, tiers, flatNano }) => ({
    plan_key: key,
    name: key,
    is_free: isFree,
    flat_amount_usd: flatNano === null ? null : usd(flatNano),
    tiers:
      tiers === null
        ? null
        : tiers.map(({ upTo, unitNano, flatNano: once }) => ({ up_to: upTo, unit_amount_usd: usd(unitNano), flat_amount_usd: usd(once) })),
  })),
});

const PLACES = 9;

const usd = (nano: bigint): string => {
  const digits = String(nano).padStart(PLACES + 1, "0");
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`.replace(/\.?0+$/, "");
};
