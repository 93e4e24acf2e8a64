import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantityWithin, spread, type Tier, tieredCost } from "../../../lib/billing/rating/rating.ts";
import { halfEven } from "../../../lib/core/bigints.ts";
import { formatUnitPrice, formatUsd, parseUsd, roundToCents, split } from "../../../lib/core/money.ts";

const EVENTS: readonly Tier[] = [
  { upTo: 1_000_000n, unitNano: 0n, flatNano: 0n },
  { upTo: 2_000_000n, unitNano: 50_000n, flatNano: 0n },
  { upTo: 15_000_000n, unitNano: 34_300n, flatNano: 0n },
];

const tiersWith = (last: fc.Arbitrary<bigint | null>): fc.Arbitrary<readonly Tier[]> =>
  fc
    .tuple(fc.array(fc.tuple(fc.bigInt(1n, 12n), fc.bigInt(0n, 9n), fc.bigInt(0n, 20n)), { maxLength: 4 }), fc.bigInt(0n, 9n), last)
    .map(([steps, unitNano, end]) => {
      let upTo = 0n;
      const bounded = steps.map(([width, unit, flat]) => {
        upTo += width;
        return { upTo, unitNano: unit, flatNano: flat };
      });
      return [...bounded, { upTo: end === null ? null : upTo + end, unitNano, flatNano: 0n }];
    });

/** One unit after the other, each at the price of the tier it falls in. */
const naiveCost = (tiers: readonly Tier[], quantity: bigint): bigint => {
  let cost = 0n;
  const entered = new Set<Tier>();
  for (let unit = 1n; unit <= quantity; unit += 1n) {
    const tier = tiers.find(({ upTo }) => upTo === null || unit <= upTo);
    if (tier === undefined) break;
    cost += tier.unitNano + (entered.has(tier) ? 0n : tier.flatNano);
    entered.add(tier);
  }
  return cost;
};

const tiers = tiersWith(fc.option(fc.bigInt(1n, 10n)));
const quantity = fc.bigInt(0n, 70n);

describe("rating", () => {
  it("of 3,250,000 events is 92.875 dollars, which is 92.88", () => {
    expect(tieredCost(EVENTS, 3_250_000n)).toBe(92_875_000_000n);
    expect(formatUsd(roundToCents(tieredCost(EVENTS, 3_250_000n)))).toBe("92.88");
    expect(spread(EVENTS, 3_250_000n).map(({ units }) => units)).toEqual([1_000_000n, 1_000_000n, 1_250_000n]);
  });
  it("lets 200 dollars pay for 6,373,177 events", () => {
    expect(quantityWithin(EVENTS, 200_000_000_000n)).toBe(6_373_177n);
  });
  it("of a day is what it adds to the period: 400,000 after 900,000 cost 15 dollars, 11.25 and 3.75 for two projects", () => {
    const day = tieredCost(EVENTS, 1_300_000n) - tieredCost(EVENTS, 900_000n);
    expect(day).toBe(15_000_000_000n);
    expect(split(day, [300_000n, 100_000n])).toEqual([11_250_000_000n, 3_750_000_000n]);
  });
  it("costs what its units cost one by one", () => {
    void fc.assert(fc.property(tiers, quantity, (list, units) => void expect(tieredCost(list, units)).toBe(naiveCost(list, units))));
  });
  it("finds the largest quantity that a limit pays for", () => {
    void fc.assert(
      fc.property(tiersWith(fc.constant(null)), fc.bigInt(0n, 300n), (list, limit) => {
        const most = quantityWithin(list, limit);
        expect(tieredCost(list, most ?? 10_000n)).toBeLessThanOrEqual(limit);
        if (most !== null) expect(tieredCost(list, most + 1n)).toBeGreaterThan(limit);
      }),
    );
  });
});

describe("money", () => {
  it("rounds to the nearest, and halves to the even one", () => {
    expect([5n, 15n, 25n, -5n, -15n, 14n, 16n].map((value) => halfEven(value, 10n))).toEqual([0n, 2n, 2n, 0n, -2n, 1n, 2n]);
  });
  it("is written with two places, a price with those it needs", () => {
    expect([0n, 5n, 9_288n, -1n].map(formatUsd)).toEqual(["0.00", "0.05", "92.88", "-0.01"]);
    expect(["0", "0.0000343", "10", "250.5", "0.000000001"].map((text) => formatUnitPrice(parseUsd(text)))).toEqual([
      "0",
      "0.0000343",
      "10",
      "250.5",
      "0.000000001",
    ]);
  });
  it("is split without a rest, no part further than one from its share", () => {
    const weights = fc.array(fc.bigInt(0n, 1_000n), { minLength: 1, maxLength: 8 }).filter((all) => all.some((weight) => weight > 0n));
    void fc.assert(
      fc.property(fc.bigInt(0n, 10_000n), weights, (total, all) => {
        const sum = all.reduce((one, other) => one + other, 0n);
        const parts = split(total, all);
        expect(parts.reduce((one, other) => one + other, 0n)).toBe(total);
        parts.forEach((part, at) => {
          const share = (total * (all[at] ?? 0n)) / sum;
          expect(part === share || part === share + 1n).toBe(true);
        });
      }),
    );
  });
});
