import { greatest, least } from "../../core/bigints.ts";
import { formatUnitPrice, formatUsd, roundToCents } from "../../core/money.ts";
import { type Feature, findPlan, freePlan, type Item, type Plan, ratingTiers } from "../catalogue/catalogue.ts";
import { runningItems, type SubscriptionItem } from "../customer/subscription.ts";
import { type Charge, subscriptionCharges } from "../rating/charges.ts";
import { unitsOn } from "../rating/period.ts";
import { spread, type Tier, tieredCost } from "../rating/rating.ts";
import { itemLimit, type Outlook, projectUsage, unitLimit } from "./outlook.ts";

/** An item as the overview sends it, with its amounts in cents for those who add them up. */
export interface ItemView {
  readonly sent: ReturnType<typeof itemSent>;
  readonly current: bigint;
  readonly projected: bigint;
  readonly projectedWithLimit: bigint;
}

/** A product or an addon as it stands: its plan, its use and what that costs now and at the period's end. */
export const itemView = (item: Item, outlook: Outlook): ItemView => {
  const { usage, period, now, limits, customer } = outlook;
  const held = runningItem(outlook, item);
  const plan = (held && findPlan(item, held.plan_key)) ?? freePlan(item);
  const used = unitsOn(usage, item.usage_type);
  const later = projectUsage(used, period, now);
  const charges = subscriptionCharges(customer.subscription, outlook.catalogue, period, usage).filter((charge) => charge.item === item);
  const current = sum(charges);
  const fees = sum(charges.filter(({ kind }) => kind === "fee"));
  const tiers = plan === undefined ? [] : ratingTiers(plan);
  const subscribed = held !== undefined;
  const projectedCents = subscribed && tiers.length > 0 ? greatest(current, fees + roundToCents(tieredCost(tiers, later))) : current;
  const cap = itemLimit(limits, item);
  const sent = itemSent(item, { plan, subscribed, used, later, tiers: subscribed ? tiers : [], outlook });
  return { sent, current, projected: projectedCents, projectedWithLimit: cap === null ? projectedCents : least(projectedCents, cap) };
};

const sum = (charges: readonly Charge[]): bigint => charges.reduce((total, { cents }) => total + cents, 0n);

const runningItem = ({ customer, now }: Outlook, { type }: Item): SubscriptionItem | undefined =>
  runningItems(customer.subscription, now).find(({ product }) => product === type);

interface Use {
  readonly plan: Plan | undefined;
  readonly subscribed: boolean;
  readonly used: bigint;
  readonly later: bigint;
  readonly tiers: readonly Tier[];
  readonly outlook: Outlook;
}

const itemSent = (item: Item, { plan, subscribed, used, later, tiers, outlook }: Use) => {
  const limit = plan === undefined ? null : unitLimit(item, plan, outlook.limits);
  const units = Number(used);
  return {
    type: item.type,
    usage_key: item.usage_key,
    name: item.name,
    description: item.description,
    price_description: null,
    icon_key: item.icon_key,
    image_url: null,
    screenshot_url: null,
    docs_url: item.docs_url,
    free_allocation: plan?.free_allocation ?? null,
    subscribed,
    tiers: tiers.length === 0 ? null : tiersSent(tiers, used, later),
    tiered: item.plans.some((each) => each.tiers !== null),
    unit: item.unit,
    unit_amount_usd: plan?.flat_amount_usd ?? null,
    current_usage: units,
    projected_usage: item.usage_type === null ? null : Number(later),
    percentage_usage: limit === null || limit === 0n ? 0 : units / Number(limit),
    usage_limit: limit === null ? null : Number(limit),
    has_exceeded_limit: limit !== null && used >= limit && !outlook.customer.account.never_drop_data,
    contact_support: item.contact_support,
    inclusion_only: false,
    features: (plan?.features ?? []).map(featureSent),
    plans: item.plans.map((each) => planSent(item, each, { isCurrent: each === plan })),
    trial: item.trial,
    legacy_product: null,
  };
};

const tiersSent = (tiers: readonly Tier[], used: bigint, later: bigint) => {
  const then = spread(tiers, later);
  return spread(tiers, used).map(({ tier, units, nano }, at) => ({
    flat_amount_usd: formatUnitPrice(tier.flatNano),
    unit_amount_usd: formatUnitPrice(tier.unitNano),
    up_to: tier.upTo === null ? null : Number(tier.upTo),
    current_usage: Number(units),
    current_amount_usd: formatUsd(roundToCents(nano)),
    projected_usage: Number(then[at]?.units ?? 0n),
    projected_amount_usd: formatUsd(roundToCents(then[at]?.nano ?? 0n)),
  }));
};

const planSent = (item: Item, plan: Plan, { isCurrent }: { readonly isCurrent: boolean }) => ({
  product_key: item.type,
  plan_key: plan.plan_key,
  name: plan.name,
  description: plan.description,
  is_free: plan.is_free,
  image_url: null,
  docs_url: item.docs_url === "" ? null : item.docs_url,
  note: plan.note,
  unit: item.unit,
  flat_rate: plan.flat_amount_usd !== null,
  tiers: plan.tiers === null ? null : tiersSent(ratingTiers(plan), 0n, 0n),
  free_allocation: plan.free_allocation,
  features: plan.features.map(featureSent),
  included_if: null,
  current_plan: isCurrent,
  unit_amount_usd: plan.flat_amount_usd,
  contact_support: plan.contact_support,
});

/** A feature of a plan as products list it. */
export const featureSent = ({ key, name, description, unit, limit, note, type }: Feature) => ({
  key,
  name,
  description,
  unit,
  limit,
  note,
  is_plan_default: true,
  type,
});
