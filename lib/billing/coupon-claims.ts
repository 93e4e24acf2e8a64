import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { COUPON_DURATIONS, COUPON_KINDS } from "./coupon-campaigns.ts";

export const CLAIM_STATUSES = ["claimed", "expired", "exhausted"] as const;

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
  /** What is left of an amount that is used once, over as many invoices as it takes; null for any other coupon. */
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
