import { halfEven, least } from "../../core/bigints.ts";
import type { CouponClaim } from "../coupon-claims.ts";
import { split } from "../money.ts";

/** An amount for a product: a line of an invoice, before anything is taken off. */
export interface Amount {
  readonly product: string;
  readonly cents: bigint;
}

/** What a coupon took off. */
export interface CouponUse {
  readonly claim: CouponClaim;
  readonly cents: bigint;
}

/** Hundredths of a per cent in the whole. */
const WHOLE = 10_000n;

/** How a claim stands at a moment: its end needs nobody to write it down. */
export const claimStatus = (claim: CouponClaim, at: number): CouponClaim["status"] =>
  claim.status === "claimed" && claim.expires_at !== null && claim.expires_at <= at ? "expired" : claim.status;

/**
 * What the claims take off the amounts: those for some products first, then those for all, the oldest claim first in each; a per cent
 * is one of what those before it left. Nothing ever falls below zero.
 */
export const takeOff = (amounts: readonly Amount[], claims: readonly CouponClaim[], at: number): readonly CouponUse[] => {
  const left = amounts.map(({ cents }) => cents);
  return inOrder(claims.filter((claim) => claimStatus(claim, at) === "claimed")).map((claim) => {
    const scope = amounts.map(({ product }) => claim.products === null || claim.products.includes(product));
    const within = left.map((cents, place) => (scope[place] ? cents : 0n));
    const base = within.reduce((sum, cents) => sum + cents, 0n);
    const cents = offOf(claim, base);
    split(cents, within).forEach((part, place) => {
      left[place] = (left[place] ?? 0n) - part;
    });
    return { claim, cents };
  });
};

const inOrder = (claims: readonly CouponClaim[]): readonly CouponClaim[] => [
  ...claims.filter(({ products }) => products !== null),
  ...claims.filter(({ products }) => products === null),
];

const offOf = ({ kind, value, remaining_cents }: CouponClaim, base: bigint): bigint =>
  kind === "percent" ? least(base, halfEven(base * BigInt(value), WHOLE)) : least(base, BigInt(remaining_cents ?? value));

/** A claim after an invoice used it; nothing is used where it took nothing off. */
export const afterUse = (claim: CouponClaim, cents: bigint): CouponClaim => {
  if (cents === 0n) return claim;
  const remaining_periods = claim.remaining_periods === null ? null : Math.max(0, claim.remaining_periods - 1);
  const remaining_cents = claim.remaining_cents === null ? null : claim.remaining_cents - Number(cents);
  const status = remaining_periods === 0 || remaining_cents === 0 ? "exhausted" : claim.status;
  return { ...claim, remaining_periods, remaining_cents, status };
};

export const totalOff = (uses: readonly CouponUse[]): bigint => uses.reduce((sum, { cents }) => sum + cents, 0n);
