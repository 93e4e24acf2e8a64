import type { CouponClaim } from "../../../lib/billing/customer/coupon-claim.ts";
import type { CreditGrant } from "../../../lib/billing/customer/credit-grant.ts";
import type { InvoiceLine } from "../../../lib/billing/invoices.ts";

const ORGANIZATION = "0190d0aa-0000-7000-8000-000000000001";

export const aClaim = (given: Partial<CouponClaim> = {}): CouponClaim => ({
  organization_id: ORGANIZATION,
  slug: "launch",
  code: "LAUNCH",
  campaign_name: "Launch",
  kind: "percent",
  value: 2_000,
  duration: "forever",
  products: null,
  claimed_at: 0,
  expires_at: null,
  remaining_periods: null,
  remaining_cents: null,
  status: "claimed",
  version: 1,
  ...given,
});

export const aGrant = (given: Partial<CreditGrant> = {}): CreditGrant => ({
  organization_id: ORGANIZATION,
  id: "grant",
  source: "purchase",
  state: "active",
  cents: 3_000,
  charge_cents: 3_000,
  remaining_cents: 3_000,
  refunded_use_cents: 0,
  priority: 10,
  collection_method: "charge_automatically",
  created_at: 0,
  effective_at: 0,
  expires_at: null,
  due_at: null,
  version: 1,
  ...given,
});

export const aLine = (given: Partial<InvoiceLine> = {}): InvoiceLine => ({
  product: "product_analytics",
  plan_key: "paid-20260101",
  description: "Product analytics",
  usage_type: "event_count_in_period",
  quantity: 0,
  cents: 0,
  last_day: null,
  late_of: null,
  carried_from: null,
  ...given,
});
