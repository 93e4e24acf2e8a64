import * as z from "zod";

/** The overview as sent. */

const Amount = z.string().nullable();
const Text = z.string().nullable();

const AvailableFeature = z
  .object({
    key: z.string(),
    name: z.string(),
    description: z.string(),
    unit: Text,
    limit: z.int().nullable(),
    note: Text,
    is_plan_default: z.boolean(),
  })
  .meta({ id: "BillingAvailableFeature" });

const Feature = AvailableFeature.extend({ type: z.enum(["primary", "secondary"]).nullable() }).meta({ id: "BillingFeature" });

const Tier = z
  .object({
    flat_amount_usd: z.string(),
    unit_amount_usd: z.string(),
    current_amount_usd: Amount,
    current_usage: z.int(),
    projected_usage: z.int().nullable(),
    projected_amount_usd: Amount,
    up_to: z.int().nullable(),
  })
  .meta({ id: "BillingTier" });

const Plan = z
  .object({
    product_key: z.string(),
    plan_key: z.string(),
    name: z.string(),
    description: z.string(),
    is_free: z.boolean(),
    image_url: Text,
    docs_url: Text,
    note: Text,
    unit: Text,
    flat_rate: z.boolean(),
    tiers: z.array(Tier).nullable(),
    free_allocation: z.int().nullable(),
    features: z.array(Feature),
    included_if: Text,
    current_plan: z.boolean(),
    unit_amount_usd: Amount,
    contact_support: z.boolean(),
  })
  .meta({ id: "BillingPlan" });

const item = {
  type: z.string(),
  usage_key: Text,
  name: z.string(),
  description: z.string(),
  price_description: Text,
  icon_key: z.string(),
  image_url: Text,
  screenshot_url: Text,
  docs_url: z.string(),
  free_allocation: z.int().nullable(),
  subscribed: z.boolean().nullable(),
  tiers: z.array(Tier).nullable(),
  tiered: z.boolean(),
  unit: Text,
  unit_amount_usd: Amount,
  current_usage: z.int(),
  projected_usage: z.int().nullable(),
  current_amount_usd: Amount,
  current_amount_usd_before_addons: Amount,
  projected_amount_usd: Amount,
  projected_amount_usd_with_limit: Amount,
  percentage_usage: z.number(),
  usage_limit: z.int().nullable(),
  has_exceeded_limit: z.boolean(),
  contact_support: z.boolean().nullable(),
  inclusion_only: z.boolean(),
  plans: z.array(Plan),
  features: z.array(Feature),
  trial: z.object({ length: z.int() }).nullable(),
  legacy_product: z.boolean().nullable(),
};

const Addon = z.object({ ...item, included_with_main_product: z.boolean(), included_if: Text }).meta({ id: "BillingAddon" });

const Product = z.object({ ...item, headline: Text, addons: z.array(Addon) }).meta({ id: "BillingProduct" });

const Limits = z.record(z.string(), z.number().nullable());

export const BillingPeriodResponse = z
  .object({ current_period_start: Text, current_period_end: Text })
  .meta({ id: "BillingPeriodResponse" });

export const BillingOverviewResponse = z
  .object({
    customer_id: Text,
    billing_plan: Text,
    subscription_level: z.enum(["free", "paid", "custom"]),
    has_active_subscription: z.boolean(),
    deactivated: z.boolean(),
    is_annual_plan_customer: z.boolean(),
    never_drop_data: z.boolean(),
    free_trial_until: Text,
    amount_off_expires_at: Text,
    current_total_amount_usd: Amount,
    current_total_amount_usd_after_discount: Amount,
    projected_total_amount_usd: Amount,
    projected_total_amount_usd_after_discount: Amount,
    projected_total_amount_usd_with_limit: Amount,
    projected_total_amount_usd_with_limit_after_discount: Amount,
    discount_amount_usd: Amount,
    discount_percent: z.number().nullable(),
    startup_program_label: Text,
    startup_program_label_previous: Text,
    stripe_portal_url: Text,
    external_billing_provider_invoices_url: Text,
    products: z.array(Product),
    available_product_features: z.array(AvailableFeature),
    usage_summary: z.record(z.string(), z.object({ usage: z.int(), limit: z.int().nullable() })),
    billing_period: BillingPeriodResponse.extend({ interval: z.enum(["month", "year"]) }).nullable(),
    custom_limits_usd: Limits,
    next_period_custom_limits_usd: Limits,
    trial: z
      .object({
        type: z.enum(["autosubscribe", "standard"]),
        status: z.enum(["active", "expired", "cancelled", "converted"]),
        target: z.string(),
        expires_at: z.string(),
      })
      .nullable(),
    license: z.object({ plan: z.string() }).nullable(),
    account_owner: z.object({ email: z.string().optional(), name: z.string().optional() }).nullable(),
    customer_trust_scores: z.record(z.string(), z.int()),
  })
  .meta({ id: "BillingOverviewResponse" });
