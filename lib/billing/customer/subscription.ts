import * as z from "zod";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { defaultPlan, findItem, findPlan, type Products } from "../catalogue/catalogue.ts";
import { refused } from "../commands.ts";
import { PlanDays } from "../rating/plan-days.ts";

const SUBSCRIPTION_STATES = ["active", "canceling", "ended"] as const;

const SubscriptionItem = z.object({
  /** Type of a product or an addon. */
  product: z.string(),
  plan_key: z.string(),
  /** Milliseconds since 1970. */
  since: z.int(),
  /** When it ended or will end; null while it goes on. Ended ones stay until the invoice of their period is made. */
  until: z.int().nullable(),
});
export type SubscriptionItem = z.output<typeof SubscriptionItem>;

/**
 * The products that an organization pays for. There is one subscription; it ends with its last item and begins again with the next.
 * `canceling`: all of it ends with the period.
 */
export const Subscription = z.object({
  organization_id: z.guid(),
  id: z.string(),
  state: z.enum(SUBSCRIPTION_STATES),
  items: z.array(SubscriptionItem).max(2_000),
  /** What each product ran on, on the days before `folded_until` (since 1970) whose invoices are not made. */
  days: z.array(PlanDays).max(2_000).default([]),
  folded_until: z.int().default(0),
  version: z.int().min(0),
});
export type Subscription = z.output<typeof Subscription>;

export const Subscriptions = entity({
  name: "billing-subscription",
  version: 1,
  schema: Subscription,
  key: within("billing", "subscription", { organization: "organization_id" }),
  patterns: {},
});

/** A product or an addon under one of its plans. */
export interface Choice {
  readonly product: string;
  readonly plan_key: string;
}

/** How everything that is a product of its own is named in a list of products. */
export const ALL_PRODUCTS = "all_products";

/** The choices of a list such as `product_analytics:paid-20260101,surveys`; without a plan a product's default one. */
export const parseChoices = (catalogue: Products, products: string): readonly Choice[] => {
  const choices = products
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .flatMap((entry) => {
      const [product = "", plan_key = ""] = entry.split(":", 2).map((part) => part.trim());
      if (product !== ALL_PRODUCTS) return [choice(catalogue, product, plan_key)];
      return catalogue.products.map(({ type }) => choice(catalogue, type, ""));
    });
  return [...new Map(choices.map((each) => [each.product, each])).values()];
};

/** The plan by its key, or the default one where none is named. Refuses what the price list does not have. */
export const choice = (catalogue: Products, product: string, plan_key: string): Choice => {
  const item = findItem(catalogue, product);
  if (item === undefined)
    throw refused("product_not_found", `There is no product "${shown(product)}". The overview lists those there are.`);
  const plan = plan_key === "" ? defaultPlan(item) : findPlan(item, plan_key);
  if (plan === undefined) throw refused("plan_not_found", `The product ${product} has no plan "${shown(plan_key)}".`);
  return { product, plan_key: plan.plan_key };
};

const MAX_SHOWN = 60;
const shown = (name: string): string => name.slice(0, MAX_SHOWN);

/** Whether an item runs at a moment; one that ends with its period runs until then. */
const isRunning = ({ until }: SubscriptionItem, now: number): boolean => until === null || until > now;

/** The items that were in force at a moment, whatever ended since. */
export const itemsAt = (items: readonly SubscriptionItem[], at: number): readonly SubscriptionItem[] =>
  items.filter((item) => item.since <= at && isRunning(item, at));

/** The items that run at a moment. */
export const runningItems = (subscription: Pick<Subscription, "items"> | undefined, now: number): readonly SubscriptionItem[] =>
  (subscription?.items ?? []).filter((item) => isRunning(item, now));

/** The state of a subscription at a moment; its end is derived, not stored. */
export const subscriptionState = (subscription: Pick<Subscription, "items"> | undefined, now: number): Subscription["state"] => {
  const held = runningItems(subscription, now);
  if (held.length === 0) return "ended";
  return held.some(({ until }) => until === null) ? "active" : "canceling";
};

/**
 * With the choices added; one that runs already stays, also beyond its period, and one under another plan takes its place. The very same
 * where nothing changes.
 */
export const addChoices = (
  current: Subscription | undefined,
  of: Pick<Subscription, "organization_id" | "id">,
  choices: readonly Choice[],
  now: number,
): Subscription => {
  const held = runningItems(current, now);
  const isHeld = ({ product, plan_key }: Choice): boolean => held.some((each) => each.product === product && each.plan_key === plan_key);
  const added = choices.filter((choice) => !isHeld(choice));
  const kept = ended(
    current?.items ?? [],
    added.map(({ product }) => product),
    now,
  );
  const isResumed = (item: SubscriptionItem): boolean =>
    item.until !== null &&
    isRunning(item, now) &&
    choices.some(({ product, plan_key }) => item.product === product && item.plan_key === plan_key);
  if (current !== undefined && added.length === 0 && !kept.some(isResumed)) return current;
  const resumed = kept.map((item) => (isResumed(item) ? { ...item, until: null } : item));
  const items = [...resumed, ...added.map((each) => ({ ...each, since: now, until: null }))];
  const id = current !== undefined && held.length > 0 ? current.id : of.id;
  const { days = [], folded_until = 0, version = 0 } = current ?? {};
  return { organization_id: of.organization_id, id, state: subscriptionState({ items }, now), items, days, folded_until, version };
};

/** Without the products, at once or from a later moment; it ends with its last item. The very same where none of them runs. */
export const endProducts = (current: Subscription, products: readonly string[], now: number, from = now): Subscription => {
  if (runningItems(current, now).every(({ product }) => !products.includes(product))) return current;
  const items = ended(current.items, products, now, from);
  return { ...current, items, state: subscriptionState({ items }, now) };
};

/** With one choice in the place of another, in one step. */
export const switchChoice = (current: Subscription | undefined, from: Choice, to: Choice, now: number): Subscription => {
  const held = runningItems(current, now);
  const isHeld = held.some(({ product, plan_key }) => product === from.product && plan_key === from.plan_key);
  if (current === undefined || !isHeld) {
    throw refused(
      "invalid_plan_switch",
      `The plan ${shown(from.plan_key)} of ${shown(from.product)} is not the current one, so it cannot be switched from.`,
    );
  }
  if (from.product === to.product && from.plan_key === to.plan_key) return current;
  if (from.product !== to.product && held.some(({ product }) => product === to.product)) {
    throw refused("invalid_plan_switch", `${to.product} is subscribed already, so it cannot be switched to.`);
  }
  const items = [...ended(current.items, [from.product], now), { ...to, since: now, until: null }];
  return { ...current, items, state: subscriptionState({ items }, now) };
};

const ended = (items: readonly SubscriptionItem[], products: readonly string[], now: number, from = now): SubscriptionItem[] =>
  items.map((item) => (isRunning(item, now) && products.includes(item.product) ? { ...item, until: from } : item));
