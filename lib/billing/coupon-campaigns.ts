import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const COUPON_KINDS = ["percent", "amount"] as const;
export const COUPON_DURATIONS = ["once", "periods", "forever"] as const;

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
