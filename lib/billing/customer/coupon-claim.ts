import * as z from "zod";
import { greatest, halfEven, least } from "../../core/bigints.ts";
import { split } from "../../core/money.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";

export const COUPON_KINDS = ["percent", "amount"] as const;
export const COUPON_DURATIONS = ["once", "periods", "forever"] as const;
const CLAIM_STATUSES = ["claimed", "expired", "exhausted"] as const;

/** A coupon that an organization holds, with the campaign's terms as they were when it was claimed. One per campaign. */
export const CouponClaim = z.object({
  organization_id: z.guid(),
  slug: z.string(),
  code: z.string(),
  campaign_name: z.string(),
  kind: z.enum(COUPON_KINDS),
  /** Hundredths of a per cent, or cents. */
  value: z.int().positive(),
  duration: z.enum(COUPON_DURATIONS),
  products: z.array(z.string()).nullable(),
  /** Milliseconds since 1970. */
  claimed_at: z.int(),
  expires_at: z.int().nullable(),
  /** Invoices that it still reduces; null for all to come. */
  remaining_periods: z.int().min(0).nullable(),
  /** The rest of an amount that is used once, over as many invoices as it takes; null for any other coupon. */
  remaining_cents: z.int().min(0).nullable(),
  status: z.enum(CLAIM_STATUSES),
  version: z.int().min(0),
});
export type CouponClaim = z.output<typeof CouponClaim>;

export const CouponClaims = entity({
  name: "billing-coupon-claim",
  version: 1,
  schema: CouponClaim,
  key: within("billing", "claim#{slug}", { organization: "organization_id" }),
  patterns: {},
});

/** An amount for a product: a line of an invoice, before anything is taken off. */
export interface Amount {
  readonly product: string;
  readonly cents: bigint;
}

/** The cents that a coupon took off. */
export interface CouponUse {
  readonly claim: CouponClaim;
  readonly cents: bigint;
}

/** Hundredths of a per cent in the whole. */
const WHOLE = 10_000n;

/** The status of a claim at a moment; its end is derived, not stored. */
export const claimStatus = (claim: CouponClaim, at: number): CouponClaim["status"] =>
  claim.status === "claimed" && claim.expires_at !== null && claim.expires_at <= at ? "expired" : claim.status;

/**
 * Applies claims to amounts: those for some products first, then those for all, the oldest claim first in each; a percentage
 * is taken of the rest that those before it left. An amount below zero reduces what a coupon may take off its own product, and off all,
 * but not off others. No sum that a coupon is for ever falls below zero by it.
 */
export const takeOff = (amounts: readonly Amount[], claims: readonly CouponClaim[], at: number): readonly CouponUse[] => {
  const left = new Map<string, bigint>();
  for (const { product, cents } of amounts) left.set(product, (left.get(product) ?? 0n) + cents);
  return inOrder(claims.filter((claim) => claimStatus(claim, at) === "claimed")).map((claim) => {
    const scope = [...left].filter(([product]) => claim.products === null || claim.products.includes(product));
    const base = scope.reduce((sum, [, cents]) => sum + cents, 0n);
    const cents = reduction(claim, greatest(base, 0n));
    const parts = split(
      cents,
      scope.map(([, each]) => greatest(each, 0n)),
    );
    for (const [place, [product, each]] of scope.entries()) left.set(product, each - (parts[place] ?? 0n));
    return { claim, cents };
  });
};

const inOrder = (claims: readonly CouponClaim[]): readonly CouponClaim[] => [
  ...claims.filter(({ products }) => products !== null),
  ...claims.filter(({ products }) => products === null),
];

const reduction = ({ kind, value, remaining_cents }: CouponClaim, base: bigint): bigint =>
  kind === "percent" ? least(base, halfEven(base * BigInt(value), WHOLE)) : least(base, BigInt(remaining_cents ?? value));

/** A claim after an invoice used it; nothing is used where it took nothing off. */
export const afterUse = (claim: CouponClaim, cents: bigint): CouponClaim => {
  if (cents === 0n) return claim;
  const remaining_periods = claim.remaining_periods === null ? null : Math.max(0, claim.remaining_periods - 1);
  const remaining_cents = claim.remaining_cents === null ? null : claim.remaining_cents - Number(cents);
  const status = remaining_periods === 0 || remaining_cents === 0 ? "exhausted" : claim.status;
  return { ...claim, remaining_periods, remaining_cents, status };
};

/** A claim after an invoice that used it was voided. One that has expired meanwhile stays so. */
export const giveUseBack = (claim: CouponClaim, cents: bigint): CouponClaim => ({
  ...claim,
  remaining_periods: claim.remaining_periods === null ? null : claim.remaining_periods + 1,
  remaining_cents: claim.remaining_cents === null ? null : claim.remaining_cents + Number(cents),
  status: claim.status === "exhausted" ? "claimed" : claim.status,
});

export const totalOff = (uses: readonly CouponUse[]): bigint => uses.reduce((sum, { cents }) => sum + cents, 0n);
