import { greatest, halfEven, least } from "./amounts.ts";
import { DAY_MS } from "./months.ts";

export interface Campaign {
  readonly slug: string;
  /** Hundredths of a per cent, or cents. */
  readonly kind: "percent" | "amount";
  readonly value: number;
  readonly duration: "once" | "periods" | "forever";
  /** Invoices that one of `periods` reduces. */
  readonly periods: number | null;
  readonly products: readonly string[] | null;
  readonly validDays: number | null;
}

export interface Claim {
  readonly campaign: Campaign;
  readonly claimedAt: number;
  /** Invoices that it still reduces; null for all to come. */
  readonly left: number | null;
  /** What is left of an amount that is taken once, over as many invoices as it takes. */
  readonly leftCents: bigint | null;
}

export const newClaim = (campaign: Campaign, claimedAt: number): Claim => {
  const { kind, value, duration, periods } = campaign;
  const isAmountOnce = kind === "amount" && duration === "once";
  return {
    campaign,
    claimedAt,
    left: duration === "forever" || isAmountOnce ? null : duration === "once" ? 1 : periods,
    leftCents: isAmountOnce ? BigInt(value) : null,
  };
};

const isUsable = ({ campaign, claimedAt, left, leftCents }: Claim, at: number): boolean =>
  left !== 0 && leftCents !== 0n && (campaign.validDays === null || claimedAt + campaign.validDays * DAY_MS > at);

export interface CouponUse {
  readonly slug: string;
  readonly cents: bigint;
}

/**
 * What claims take off some amounts at a moment: those for some products first, the oldest first, each of what those before it left.
 * The amount that a coupon takes is taken of its products in proportion to what is left of them.
 */
export const takeOff = (
  amounts: readonly { readonly product: string; readonly cents: bigint }[],
  claims: readonly Claim[],
  at: number,
): readonly CouponUse[] => {
  const left = new Map<string, bigint>();
  for (const { product, cents } of amounts) left.set(product, (left.get(product) ?? 0n) + cents);
  const usable = claims.filter((claim) => isUsable(claim, at)).toSorted((one, other) => one.claimedAt - other.claimedAt);
  const ordered = [
    ...usable.filter(({ campaign }) => campaign.products !== null),
    ...usable.filter(({ campaign }) => campaign.products === null),
  ];
  return ordered.flatMap(({ campaign, leftCents }) => {
    const scope = [...left.keys()].filter((product) => campaign.products?.includes(product) ?? true);
    const base = greatest(
      0n,
      scope.reduce((sum, product) => sum + (left.get(product) ?? 0n), 0n),
    );
    const most = campaign.kind === "percent" ? halfEven(base * BigInt(campaign.value), 10_000n) : (leftCents ?? BigInt(campaign.value));
    const cents = least(base, most);
    let open = cents;
    for (const [place, product] of scope.entries()) {
      const own = left.get(product) ?? 0n;
      const part = place === scope.length - 1 ? open : base === 0n ? 0n : (cents * own) / base;
      left.set(product, own - part);
      open -= part;
    }
    return cents === 0n ? [] : [{ slug: campaign.slug, cents }];
  });
};

/** A claim after so much of it was used by an invoice, or below zero: given back by one. */
export const afterUse = (claim: Claim, cents: bigint): Claim => ({
  ...claim,
  left: claim.left === null ? null : claim.left - (cents > 0n ? 1 : -1),
  leftCents: claim.leftCents === null ? null : claim.leftCents - cents,
});
