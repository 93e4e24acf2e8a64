import { least } from "./amounts.ts";

/** What is sold, at which prices, and from when on. */

export interface Tier {
  /** The last unit of the tier; null for no end. */
  readonly upTo: number | null;
  readonly unitNano: bigint;
  /** Asked once, with the first unit of the tier. */
  readonly flatNano: bigint;
}

export interface Plan {
  readonly key: string;
  readonly isFree: boolean;
  readonly tiers: readonly Tier[] | null;
  /** The price of a whole month, whatever is used. */
  readonly flatNano: bigint | null;
}

/** A product or an addon. */
export interface Item {
  readonly type: string;
  readonly usageType: string | null;
  /** How long it may be tried; null for the usual time. */
  readonly trialDays: number | null;
  readonly plans: readonly Plan[];
}

export interface Product extends Item {
  readonly addons: readonly Item[];
}

export type PriceList = readonly Product[];

/** A list as it was given; later ones come after. */
export interface GivenList {
  readonly list: PriceList;
  readonly from: number;
  /** Plans of lists before, and what takes their place with this one. */
  readonly replaces: Readonly<Record<string, string>>;
}

/** A plan as somebody chose it, in the month that began at `chosenIn`. */
export interface Choice {
  readonly product: string;
  readonly planKey: string;
  readonly chosenIn: number;
}

/** Products and addons, in the order of the list. */
export const itemsOf = (list: PriceList): readonly Item[] => list.flatMap((product) => [product, ...product.addons]);

export const findItem = (list: PriceList, type: string): Item | undefined => itemsOf(list).find((item) => item.type === type);

/** The plan that somebody gets who names none: the first that is not free. */
export const defaultPlan = ({ plans }: Item): Plan | undefined => plans.find(({ isFree }) => !isFree) ?? plans[0];

/** The lists that are in force at some time up to a moment, the oldest first. Of those of one moment only the last one given is. */
const inForceUntil = (given: readonly GivenList[], moment: number): readonly GivenList[] =>
  given
    .filter(({ from }, at) => from <= moment && !given.some((other, place) => place > at && other.from === from))
    .toSorted((one, other) => one.from - other.from);

/** The list in force at a moment. */
export const listAt = (given: readonly GivenList[], moment: number): PriceList => inForceUntil(given, moment).at(-1)?.list ?? [];

/**
 * What a choice is in the month that begins at `start`: lists that came into force since may have put another plan in its place. A plan
 * that the list does not have any more is sold as the last one had it that did.
 */
export const chosenPlan = (given: readonly GivenList[], { product, planKey, chosenIn }: Choice, start: number): Plan | undefined => {
  const passed = inForceUntil(given, start);
  let key = planKey;
  for (const { from, replaces } of passed) if (from > chosenIn) key = replaces[key] ?? key;
  for (const { list } of passed.toReversed()) {
    const plan = findItem(list, product)?.plans.find((each) => each.key === key);
    if (plan !== undefined) return plan;
  }
  return undefined;
};

/** What a quantity costs that begins with the first unit of a month. */
export const tieredCost = (tiers: readonly Tier[], quantity: bigint): bigint => {
  let cost = 0n;
  let below = 0n;
  for (const { upTo, unitNano, flatNano } of tiers) {
    if (quantity <= below) break;
    const top = upTo === null ? quantity : least(quantity, BigInt(upTo));
    cost += (top - below) * unitNano + flatNano;
    below = top;
  }
  return cost;
};
