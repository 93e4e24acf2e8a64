import type { Subscription, SubscriptionItem } from "../../entities/billing/subscriptions.ts";
import { type Catalogue, defaultPlan, itemOf, planOf } from "../catalogue/catalogue.ts";
import { refused } from "../refusal.ts";

/** A product or an addon under one of its plans. */
export interface Choice {
  readonly product: string;
  readonly plan_key: string;
}

/** How everything that is a product of its own is named in a list of products. */
export const ALL_PRODUCTS = "all_products";

/** The choices of a list such as `product_analytics:paid-20260101,surveys`; without a plan a product's default one. */
export const choicesOf = (catalogue: Catalogue, products: string): readonly Choice[] => {
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
export const choice = (catalogue: Catalogue, product: string, plan_key: string): Choice => {
  const item = itemOf(catalogue, product);
  if (item === undefined)
    throw refused("product_not_found", `There is no product "${shown(product)}". The overview lists those there are.`);
  const plan = plan_key === "" ? defaultPlan(item) : planOf(item, plan_key);
  if (plan === undefined) throw refused("plan_not_found", `The product ${product} has no plan "${shown(plan_key)}".`);
  return { product, plan_key: plan.plan_key };
};

const MAX_SHOWN = 60;
const shown = (name: string): string => name.slice(0, MAX_SHOWN);

export const isRunning = ({ until }: SubscriptionItem): boolean => until === null;

/** What a subscription contains now. */
export const runningItems = (subscription: Pick<Subscription, "items"> | undefined): readonly SubscriptionItem[] =>
  (subscription?.items ?? []).filter(isRunning);

/** With the choices added; one that runs already stays as it is, and one under another plan takes its place. */
export const activated = (
  current: Subscription | undefined,
  of: Pick<Subscription, "organization_id" | "id">,
  choices: readonly Choice[],
  now: number,
): Subscription => {
  const held = runningItems(current);
  const added = choices.filter(({ product, plan_key }) => !held.some((each) => each.product === product && each.plan_key === plan_key));
  const kept = ended(
    current?.items ?? [],
    added.map(({ product }) => product),
    now,
  );
  const items = [...kept, ...added.map((each) => ({ ...each, since: now, until: null }))];
  const id = current?.state === "active" ? current.id : of.id;
  return { organization_id: of.organization_id, id, state: "active", items, version: current?.version ?? 0 };
};

/** Without the products and their addons, at once; it ends with its last item. */
export const deactivated = (current: Subscription, products: readonly string[], now: number): Subscription => {
  const items = ended(current.items, products, now);
  return { ...current, items, state: items.some(isRunning) ? "active" : "ended" };
};

/** With one choice in the place of another, in one step. */
export const switched = (current: Subscription | undefined, from: Choice, to: Choice, now: number): Subscription => {
  const held = runningItems(current);
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
  return { ...current, items: [...ended(current.items, [from.product], now), { ...to, since: now, until: null }] };
};

const ended = (items: readonly SubscriptionItem[], products: readonly string[], now: number): SubscriptionItem[] =>
  items.map((item) => (isRunning(item) && products.includes(item.product) ? { ...item, until: now } : item));
