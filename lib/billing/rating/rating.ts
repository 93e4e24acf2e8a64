import { least } from "../../core/bigints.ts";

/** A part of a price list: what a unit costs above the tier before, up to and with `upTo`; null has no end. */
export interface Tier {
  readonly upTo: bigint | null;
  readonly unitNano: bigint;
  /** Charged once, as soon as one unit lies in the tier. */
  readonly flatNano: bigint;
}

/** Units and their cost in one tier. */
export interface TierUse {
  readonly tier: Tier;
  readonly units: bigint;
  readonly nano: bigint;
}

/** How a quantity spreads over graduated tiers, which ascend. */
export const spread = (tiers: readonly Tier[], quantity: bigint): readonly TierUse[] => {
  let before = 0n;
  return tiers.map((tier) => {
    const over = quantity > before ? quantity - before : 0n;
    const units = tier.upTo === null ? over : least(over, tier.upTo - before);
    before = tier.upTo ?? before;
    return { tier, units, nano: units === 0n ? 0n : units * tier.unitNano + tier.flatNano };
  });
};

/** The exact cost of a quantity, nano-dollars. */
export const tieredCost = (tiers: readonly Tier[], quantity: bigint): bigint =>
  spread(tiers, quantity).reduce((total, { nano }) => total + nano, 0n);

/** The largest quantity that costs at most so much; null where no quantity costs more. */
export const quantityWithin = (tiers: readonly Tier[], limitNano: bigint): bigint | null => {
  let before = 0n;
  let left = limitNano;
  for (const { upTo, unitNano, flatNano } of tiers) {
    if (flatNano > left) return before;
    left -= flatNano;
    const room = upTo === null ? null : upTo - before;
    if (unitNano > 0n) {
      const affordable = left / unitNano;
      if (room === null || affordable < room) return before + affordable;
      left -= room * unitNano;
    }
    if (upTo === null) return null;
    before = upTo;
  }
  return null;
};
