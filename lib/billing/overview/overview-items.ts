import { greatest, least } from "../../core/bigints.ts";
import { formatUnitPrice, formatUsd, roundToCents } from "../../core/money.ts";
import { type Feature, findItem, freePlan, type Item, type Plan, ratingTiers } from "../catalogue/catalogue.ts";
import type { Charge } from "../rating/charges.ts";
import { totalUnits } from "../rating/period.ts";
import { spread, type Tier, type TierUse } from "../rating/rating.ts";
import { itemLimit, type Outlook, unitLimit } from "./outlook.ts";

/** An item as the overview sends it, with its amounts in cents for those who add them up. */
export interface ItemView {
  readonly sent: ReturnType<typeof itemSent>;
  readonly current: bigint;
  readonly projected: bigint;
  readonly projectedWithLimit: bigint;
}

/** A product or an addon as it stands: its plan, its use and what that costs now and at the period's end. */
export const itemView = (item: Item, outlook: Outlook): ItemView => {
  const { usage, projectedUsage, limits } = outlook;
  const isOfItem = (charge: Charge): boolean => charge.item.type === item.type;
  const [charges, projectedCharges] = [outlook.charges.filter(isOfItem), outlook.projectedCharges.filter(isOfItem)];
  const [current, projected] = [sum(charges), sum(projectedCharges)];
  const cap = itemLimit(limits, item);
  const use = { used: totalUnits(usage, item.usage_type), later: totalUnits(projectedUsage, item.usage_type), charges, projectedCharges };
  return {
    sent: itemSent(item, use, outlook),
    current,
    projected,
    // What is owed already is not taken back by a limit.
    projectedWithLimit: cap === null ? projected : greatest(current, least(projected, cap)),
  };
};

const sum = (charges: readonly Charge[]): bigint => charges.reduce((total, { cents }) => total + cents, 0n);

interface Use {
  readonly used: bigint;
  readonly later: bigint;
  readonly charges: readonly Charge[];
  readonly projectedCharges: readonly Charge[];
}

const itemSent = (item: Item, use: Use, outlook: Outlook) => {
  const { used, later } = use;
  const plan = outlook.plans.get(item.type)?.plan ?? freePlan(item);
  const subscribed = outlook.held.some(({ product }) => product === item.type);
  const tiers = plan === undefined || !subscribed ? [] : ratingTiers(plan);
  const limit = plan === undefined ? null : unitLimit(item, plan, outlook);
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
    tiers: tiers.length === 0 ? null : tiersSent(tiers, tierUses(tiers, use.charges, plan), tierUses(tiers, use.projectedCharges, plan)),
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
    legacy_product: findItem(outlook.prices.catalogue, item.type) === undefined ? true : null,
  };
};

const tiersSent = (tiers: readonly Tier[], uses: readonly TierUse[], then: readonly TierUse[]) =>
  tiers.map((tier, at) => ({
    flat_amount_usd: formatUnitPrice(tier.flatNano),
    unit_amount_usd: formatUnitPrice(tier.unitNano),
    up_to: tier.upTo === null ? null : Number(tier.upTo),
    current_usage: Number(uses[at]?.units ?? 0n),
    current_amount_usd: formatUsd(roundToCents(uses[at]?.nano ?? 0n)),
    projected_usage: Number(then[at]?.units ?? 0n),
    projected_amount_usd: formatUsd(roundToCents(then[at]?.nano ?? 0n)),
  }));

/** How the days that a plan was charged for spread over its tiers. */
const tierUses = (tiers: readonly Tier[], charges: readonly Charge[], plan: Plan | undefined): readonly TierUse[] => {
  const days = charges
    .filter((charge) => charge.kind === "use" && charge.plan.plan_key === plan?.plan_key)
    .flatMap((charge) => charge.days);
  return days.reduce<readonly TierUse[]>(
    (uses, { before, units }) => {
      const [from, through] = [spread(tiers, before), spread(tiers, before + units)];
      return uses.map((use, at) => ({
        tier: use.tier,
        units: use.units + (through[at]?.units ?? 0n) - (from[at]?.units ?? 0n),
        nano: use.nano + (through[at]?.nano ?? 0n) - (from[at]?.nano ?? 0n),
      }));
    },
    spread(tiers, 0n),
  );
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
  tiers: plan.tiers === null ? null : tiersSent(ratingTiers(plan), [], []),
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
