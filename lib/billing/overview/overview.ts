import { formatUsd } from "../../core/money.ts";
import { isoSeconds } from "../../core/time.ts";
import { allItems, type Feature, freePlan, type Product } from "../catalogue/catalogue.ts";
import { type Amount, type CouponClaim, claimStatus, takeOff, totalOff } from "../customer/coupon-claim.ts";
import { activeTrial, trialStatus } from "../customer/trial.ts";
import type { CustomerState } from "../customer.ts";
import { type CustomLimits, limitsAfter, type Outlook } from "./outlook.ts";
import { featureSent, type ItemView, itemView } from "./overview-items.ts";

/** The overview as sent, but for what lies outside the ledger: addresses and the license. */
export const outlookOverview = (outlook: Outlook) => {
  const { customer, prices, sold, now, held, limits } = outlook;
  const { period } = prices;
  const { account } = customer;
  const products = sold.products.map((product) => productView(product, outlook));
  const isPaying = held.length > 0;
  return {
    customer_id: account.customer_id,
    billing_plan: planName(held),
    subscription_level: isPaying ? ("paid" as const) : ("free" as const),
    has_active_subscription: isPaying,
    deactivated: account.status === "suspended",
    is_annual_plan_customer: false,
    never_drop_data: account.never_drop_data,
    free_trial_until: freeUntil(customer, now),
    ...discountSent(customer.claims, now),
    ...totalsSent(products, customer.claims, { now, end: period.end - 1 }),
    startup_program_label: account.startup_label,
    startup_program_label_previous: null,
    products: products.map(({ sent }) => sent),
    available_product_features: availableFeatures(outlook).map(featureSent),
    usage_summary: usageSummary(products),
    billing_period: {
      current_period_start: isoSeconds(period.start),
      current_period_end: isoSeconds(period.end),
      interval: "month" as const,
    },
    custom_limits_usd: limitsSent(limits),
    next_period_custom_limits_usd: limitsSent(limitsAfter(account, period)),
    trial: trialSent(customer, now),
    account_owner: null,
    customer_trust_scores: Object.fromEntries(products.map(({ sent }) => [sent.type, TRUSTED])),
  };
};

/** Nobody is distrusted in a deployment of one's own. */
const TRUSTED = 15;

interface ProductView {
  readonly sent: ReturnType<typeof productSent>;
  readonly parts: readonly ItemView[];
}

const productView = (product: Product, outlook: Outlook): ProductView => {
  const own = itemView(product, outlook);
  const addons = product.addons.map((addon) => itemView(addon, outlook));
  return { sent: productSent(product, own, addons), parts: [own, ...addons] };
};

const productSent = (product: Product, own: ItemView, addons: readonly ItemView[]) => ({
  ...own.sent,
  ...amountsSent(own, [own, ...addons]),
  headline: product.headline,
  addons: addons.map((addon) => ({ ...addon.sent, ...amountsSent(addon, [addon]), included_with_main_product: false, included_if: null })),
});

const amountsSent = (own: ItemView, all: readonly ItemView[]) => ({
  current_amount_usd: formatUsd(total(all, "current")),
  current_amount_usd_before_addons: formatUsd(own.current),
  projected_amount_usd: formatUsd(total(all, "projected")),
  projected_amount_usd_with_limit: formatUsd(total(all, "projectedWithLimit")),
});

type AmountName = "current" | "projected" | "projectedWithLimit";

const total = (items: readonly ItemView[], name: AmountName): bigint => items.reduce((sum, item) => sum + item[name], 0n);

/** The amounts of all products. What is to come is reduced by the coupons that hold at the period's `end`, as its invoice will be. */
const totalsSent = (
  products: readonly ProductView[],
  claims: readonly CouponClaim[],
  { now, end }: { readonly now: number; readonly end: number },
) => {
  const items = products.flatMap(({ parts }) => parts);
  const totals = (name: AmountName, at: number): { readonly full: string; readonly reduced: string } => {
    const amounts: readonly Amount[] = items.map((item) => ({ product: item.sent.type, cents: item[name] }));
    const full = total(items, name);
    return { full: formatUsd(full), reduced: formatUsd(full - totalOff(takeOff(amounts, claims, at))) };
  };
  const [current, later, capped] = [totals("current", now), totals("projected", end), totals("projectedWithLimit", end)];
  return {
    current_total_amount_usd: current.full,
    current_total_amount_usd_after_discount: current.reduced,
    projected_total_amount_usd: later.full,
    projected_total_amount_usd_after_discount: later.reduced,
    projected_total_amount_usd_with_limit: capped.full,
    projected_total_amount_usd_with_limit_after_discount: capped.reduced,
  };
};

const HUNDREDTHS = 100;

/** The oldest coupons for all products: one that takes off a part, and one that takes off an amount. */
const discountSent = (claims: readonly CouponClaim[], now: number) => {
  const open = claims.filter((claim) => claim.products === null && claimStatus(claim, now) === "claimed");
  const part = open.find(({ kind }) => kind === "percent");
  const amount = open.find(({ kind }) => kind === "amount");
  return {
    discount_percent: part === undefined ? null : part.value / HUNDREDTHS,
    discount_amount_usd: amount === undefined ? null : formatUsd(BigInt(amount.remaining_cents ?? amount.value)),
    amount_off_expires_at: amount?.expires_at == null ? null : isoSeconds(amount.expires_at),
  };
};

const limitsSent = (limits: CustomLimits): Readonly<Record<string, number | null>> =>
  Object.fromEntries(Object.entries(limits).map(([name, cents]) => [name, cents === null ? null : cents / HUNDREDTHS]));

const PLAN_ADDONS = ["enterprise", "teams"] as const;

const planName = (held: Outlook["held"]): string => {
  if (held.length === 0) return "free";
  return PLAN_ADDONS.find((addon) => held.some(({ product }) => product === addon)) ?? "paid";
};

const freeUntil = (customer: CustomerState, now: number): string | null => {
  const trial = activeTrial(customer.trials, now);
  return trial === undefined ? null : isoSeconds(trial.expires_at);
};

/** The trial that runs, else the one that began last. */
const trialSent = (customer: CustomerState, now: number) => {
  const trial = activeTrial(customer.trials, now) ?? customer.trials.toSorted((a, b) => b.started_at - a.started_at)[0];
  if (trial === undefined) return null;
  return { type: trial.type, status: trialStatus(trial, now), target: trial.target, expires_at: isoSeconds(trial.expires_at) };
};

/** Use and limit by usage key. An addon may be priced on the use of its product, under the same key: the product, which is first, tells it. */
const usageSummary = (products: readonly ProductView[]) => {
  const sent = products.flatMap(({ parts }) => parts.map((part) => part.sent));
  return Object.fromEntries(
    [...Map.groupBy(sent, ({ usage_key }) => usage_key)].flatMap(([key, [first]]) =>
      key === null || first === undefined ? [] : [[key, { usage: first.current_usage, limit: first.usage_limit }]],
    ),
  );
};

/** The features of the plans that are held or tried, each once. */
const availableFeatures = ({ sold, plans }: Outlook): readonly Feature[] => {
  const features = allItems(sold).flatMap((item) => (plans.get(item.type)?.plan ?? freePlan(item))?.features ?? []);
  return [...new Map(features.map((feature) => [feature.key, feature])).values()];
};
