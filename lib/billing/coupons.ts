import * as z from "zod";
import { DAY_MS, isoSeconds } from "../core/time.ts";
import type { Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, updating } from "../table/store.ts";
import { nextVersion } from "../table/versions.ts";
import { type BillingParts, type Command, type CommandOutcome, refused, runCommand } from "./commands.ts";
import { COUPON_DURATIONS, COUPON_KINDS, type CouponClaim, CouponClaims, claimStatus } from "./customer/coupon-claim.ts";
import { subscriptionState } from "./customer/subscription.ts";
import { type CustomerState, readCustomerState } from "./customer.ts";

/** Terms under which coupons are given away, with the number of those that were claimed. */
export const CouponCampaign = z.object({
  slug: z.string().min(1).max(100),
  name: z.string().min(1).max(200),
  kind: z.enum(COUPON_KINDS),
  /** Hundredths of a per cent for `percent`, cents for `amount`. */
  value: z.int().positive(),
  duration: z.enum(COUPON_DURATIONS),
  /** Billing periods for `periods`. */
  periods: z.int().positive().nullable().default(null),
  max_claims: z.int().positive().nullable().default(null),
  claims: z.int().min(0).default(0),
  redeem_by: z.string().nullable().default(null),
  valid_days: z.int().positive().nullable().default(null),
  requires_subscription: z.boolean().default(false),
  /** Products that it applies to; null for all. */
  products: z.array(z.string()).nullable().default(null),
});
export type CouponCampaign = z.output<typeof CouponCampaign>;

export const CouponCampaigns = entity({
  name: "coupon-campaign",
  version: 1,
  schema: CouponCampaign,
  key: within("couponCampaigns", "campaign#{slug}"),
  patterns: {},
});

export const CouponCode = z.object({ code: z.string().min(1).max(100), slug: z.string() });
export type CouponCode = z.output<typeof CouponCode>;

/** A code, unique in the deployment, with the campaign it belongs to. */
export const CouponCodes = entity({
  name: "coupon-code",
  version: 1,
  schema: CouponCode,
  key: within("couponCodes", "coupon"),
  patterns: {},
});

interface ClaimedCoupon {
  readonly success: true;
  readonly code: string;
  readonly campaign: string;
  /** The day on which it ends, as 2027-09-21; null for never. */
  readonly expires_at: string | null;
}

/** Length of `2027-09-21`. */
const DATE_CHARACTERS = 10;

/** Claims a coupon by its code, one of each campaign; the campaign counts its claims in the same transaction. Throws 400. */
export const claimCoupon = (parts: BillingParts, command: Command, code: string): Promise<ClaimedCoupon> =>
  runCommand(parts, command, async (): Promise<CommandOutcome<ClaimedCoupon>> => {
    const { table, clock } = parts;
    const customer = await readCustomerState(table, command.organization);
    const now = clock.now();
    const campaign = await claimableCampaign(table, customer, code, now);
    const claim = newClaim(campaign, customer.account.organization_id, code, now);
    const room = campaign.max_claims === null ? undefined : ({ kind: "less", attribute: "claims", value: campaign.max_claims } as const);
    const counted = updating(CouponCampaigns, { slug: campaign.slug }, { add: { claims: 1 } }, room);
    const until = claim.expires_at === null ? null : isoSeconds(claim.expires_at).slice(0, DATE_CHARACTERS);
    const answer = { success: true, code, campaign: claim.campaign_name, expires_at: until } as const;
    return { writes: [nextVersion(CouponClaims, claim), counted], answer };
  });

/** Claims in the states that they have at a moment. */
export const currentClaims = (claims: readonly CouponClaim[], now: number): readonly CouponClaim[] =>
  claims.map((claim) => ({ ...claim, status: claimStatus(claim, now) }));

/** The campaign of a code, where the organization may claim one of its coupons. */
const claimableCampaign = async (
  table: Table,
  { claims, subscription }: CustomerState,
  code: string,
  now: number,
): Promise<CouponCampaign> => {
  const slug = (await get(table, CouponCodes, { code }, { consistent: true }))?.slug;
  const campaign = slug === undefined ? undefined : await get(table, CouponCampaigns, { slug }, { consistent: true });
  if (campaign === undefined) throw refused("coupon_not_found", "There is no coupon of this code.");
  if (campaign.redeem_by !== null && Date.parse(campaign.redeem_by) <= now)
    throw refused("coupon_expired", "This coupon can be claimed no longer.");
  if (claims.some((claim) => claim.slug === campaign.slug))
    throw refused("coupon_already_claimed", "A coupon of this campaign has been claimed already.");
  if (campaign.requires_subscription && subscriptionState(subscription, now) === "ended")
    throw refused("subscription_required", "Subscribe to a product first, then claim the coupon.");
  if (campaign.max_claims !== null && campaign.claims >= campaign.max_claims)
    throw refused("coupon_limit_reached", "This campaign has no coupons left.");
  return campaign;
};

/** A coupon keeps the terms that it was claimed under. */
const newClaim = (campaign: CouponCampaign, organization_id: string, code: string, now: number): CouponClaim => {
  const { slug, kind, value, duration, products, valid_days } = campaign;
  const isAmountOnce = kind === "amount" && duration === "once";
  return {
    organization_id,
    slug,
    code,
    campaign_name: campaign.name,
    kind,
    value,
    duration,
    products,
    claimed_at: now,
    expires_at: valid_days === null ? null : now + valid_days * DAY_MS,
    remaining_periods: duration === "forever" || isAmountOnce ? null : duration === "once" ? 1 : (campaign.periods ?? 1),
    remaining_cents: isAmountOnce ? value : null,
    status: "claimed",
    version: 0,
  };
};
