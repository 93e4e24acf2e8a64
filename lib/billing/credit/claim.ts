import { DAY_MS } from "../../core/time.ts";
import type { Table, Write } from "../../ports/table.ts";
import { get, updating } from "../../table/store.ts";
import { type CouponCampaign, CouponCampaigns, CouponCodes } from "../coupon-campaigns.ts";
import { type CouponClaim, CouponClaims } from "../coupon-claims.ts";
import type { CustomerState } from "../customer-state.ts";
import { refused } from "../refusal.ts";
import { replacing } from "../replacing.ts";
import { subscriptionState } from "../subscriptions/subscription.ts";

/** The claim of a code by an organization, and the writes that make it: the campaign counts its claims in the same transaction. */
export const claimingCoupon = async (
  table: Table,
  { account: { organization_id }, claims, subscription }: CustomerState,
  code: string,
  now: number,
): Promise<{ readonly claim: CouponClaim; readonly writes: readonly Write[] }> => {
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
  const claim = claimOf(campaign, organization_id, code, now);
  const room = campaign.max_claims === null ? undefined : ({ kind: "less", attribute: "claims", value: campaign.max_claims } as const);
  const counted = updating(CouponCampaigns, { slug: campaign.slug }, { add: { claims: 1 } }, room);
  return { claim, writes: [replacing(CouponClaims, claim), counted] };
};

/** A coupon keeps the terms that it was claimed under. */
const claimOf = (campaign: CouponCampaign, organization_id: string, code: string, now: number): CouponClaim => {
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
