import { DAY_MS, type Month, monthAt } from "./months.ts";
import { type Choice, chosenPlan, defaultPlan, findItem, type GivenList, listAt, type Plan } from "./price-lists.ts";
import { Refusal } from "./refusal.ts";

/** What a customer holds and tries, and held and tried. Nothing is ever forgotten. */

/** A plan that is held from a moment to another. */
export interface Stretch extends Choice {
  readonly since: number;
  /** Null while it goes on. */
  readonly until: number | null;
}

export interface Trial {
  /** `paid` for all products, else a product or an addon. */
  readonly target: string;
  readonly type: "standard" | "autosubscribe";
  readonly startedAt: number;
  readonly expiresAt: number;
  readonly cancelledAt: number | null;
}

export interface Holdings {
  readonly stretches: readonly Stretch[];
  readonly trials: readonly Trial[];
}

export interface ProductPlan {
  readonly product: string;
  /** Null for the one that a product begins with. */
  readonly plan: string | null;
}

const USUAL_TRIAL_DAYS = 30;
const ALL = "all_products";
const EVERYTHING = "paid";

const isHeld = ({ since, until }: Stretch, now: number): boolean => since <= now && (until === null || until > now);

export const heldAt = ({ stretches }: Holdings, now: number): readonly Stretch[] => stretches.filter((each) => isHeld(each, now));

/** Whether anything was held at any time of a month. */
export const isHeldIn = ({ stretches }: Holdings, { start, end }: Month): boolean =>
  stretches.some(({ since, until }) => since < end && (until === null || until > start));

/** When a trial was over or will be. */
export const endOf = ({ expiresAt, cancelledAt }: Trial): number => cancelledAt ?? expiresAt;

const isTried = (trial: Trial, now: number): boolean => endOf(trial) > now;

/** The plan that is held at a moment, by the list of its month. */
const heldKey = (given: readonly GivenList[], stretch: Stretch, now: number): string | undefined =>
  chosenPlan(given, stretch, monthAt(now).start)?.key;

/** The plans that a choice names, with their keys. */
const named = (given: readonly GivenList[], chosen: readonly ProductPlan[], now: number): readonly { product: string; key: string }[] => {
  const list = listAt(given, monthAt(now).start);
  const each = chosen.flatMap(({ product, plan }) =>
    product === ALL ? list.map(({ type }) => ({ product: type, plan: null })) : [{ product, plan }],
  );
  const found = each.map(({ product, plan }) => {
    const item = findItem(list, product);
    if (item === undefined) throw new Refusal("product_not_found");
    const key = plan === null ? defaultPlan(item)?.key : item.plans.find((one) => one.key === plan)?.key;
    if (key === undefined) throw new Refusal("plan_not_found");
    return { product, key };
  });
  return [...new Map(found.map((one) => [one.product, one])).values()];
};

/** With plans added: one that is held goes on, also beyond an end that was set, and another plan of the product gives way. */
export const activated = (holdings: Holdings, given: readonly GivenList[], chosen: readonly ProductPlan[], now: number): Holdings => {
  let { stretches } = holdings;
  for (const { product, key } of named(given, chosen, now)) {
    const held = stretches.find((each) => each.product === product && isHeld(each, now));
    const rest = stretches.filter((each) => each !== held);
    if (held !== undefined && heldKey(given, held, now) === key) stretches = [...rest, { ...held, until: null }];
    else {
      const next = { product, planKey: key, chosenIn: monthAt(now).start, since: now, until: null };
      stretches = [...rest, ...(held === undefined ? [] : [{ ...held, until: now }]), next];
    }
  }
  return { ...holdings, stretches };
};

/** Without products and their addons, from a moment on. */
export const deactivated = (
  holdings: Holdings,
  given: readonly GivenList[],
  products: readonly string[],
  now: number,
  from: number,
): Holdings => {
  const list = listAt(given, monthAt(now).start);
  if (products.some((type) => findItem(list, type) === undefined)) throw new Refusal("product_not_found");
  const ended = [
    ...products,
    ...list.filter(({ type }) => products.includes(type)).flatMap(({ addons }) => addons.map(({ type }) => type)),
  ];
  const stretches = holdings.stretches.map((each) => (isHeld(each, now) && ended.includes(each.product) ? { ...each, until: from } : each));
  return { ...holdings, stretches };
};

/** Without anything. */
export const relinquished = (holdings: Holdings, now: number): Holdings => ({
  ...holdings,
  stretches: holdings.stretches.map((each) => (isHeld(each, now) ? { ...each, until: now } : each)),
});

/** With one plan in the place of another. */
export const switched = (holdings: Holdings, given: readonly GivenList[], from: ProductPlan, to: ProductPlan, now: number): Holdings => {
  const [target] = named(given, [to], now);
  const held = holdings.stretches.find((each) => each.product === from.product && isHeld(each, now));
  if (target === undefined || held === undefined || heldKey(given, held, now) !== from.plan) throw new Refusal("invalid_plan_switch");
  if (from.product === to.product && from.plan === target.key) return holdings;
  if (from.product !== to.product && heldAt(holdings, now).some(({ product }) => product === to.product))
    throw new Refusal("invalid_plan_switch");
  const rest = holdings.stretches.filter((each) => each !== held);
  const next = { product: target.product, planKey: target.key, chosenIn: monthAt(now).start, since: now, until: null };
  return { ...holdings, stretches: [...rest, { ...held, until: now }, next] };
};

/** With a trial begun: one at a time, and each target once. */
export const tried = (
  holdings: Holdings,
  given: readonly GivenList[],
  { type, target }: Pick<Trial, "type" | "target">,
  now: number,
): Holdings => {
  const item = findItem(listAt(given, monthAt(now).start), target);
  if (item === undefined && target !== EVERYTHING) throw new Refusal("product_not_found");
  if (holdings.trials.some((trial) => isTried(trial, now) || trial.target === target)) throw new Refusal("trial_already_used");
  const expiresAt = now + (item?.trialDays ?? USUAL_TRIAL_DAYS) * DAY_MS;
  return { ...holdings, trials: [...holdings.trials, { type, target, startedAt: now, expiresAt, cancelledAt: null }] };
};

/** Without the trial that runs. */
export const untried = (holdings: Holdings, now: number): Holdings => {
  const running = holdings.trials.find((trial) => isTried(trial, now));
  if (running === undefined) throw new Refusal("no_active_trial");
  return { ...holdings, trials: holdings.trials.map((trial) => (trial === running ? { ...trial, cancelledAt: now } : trial)) };
};

/** The trials that become subscriptions after a moment and up to another, the earliest first. */
export const conversionsBetween = ({ trials }: Holdings, after: number, until: number): readonly Trial[] =>
  trials
    .filter(
      ({ type, cancelledAt, expiresAt }) => type === "autosubscribe" && cancelledAt === null && expiresAt > after && expiresAt <= until,
    )
    .toSorted((one, other) => one.expiresAt - other.expiresAt);

/** With what a trial becomes at its end: its target, held by the plan that it begins with, but for what is paid for already. */
export const converted = (holdings: Holdings, given: readonly GivenList[], { target, expiresAt }: Trial): Holdings => {
  const { start } = monthAt(expiresAt);
  const list = listAt(given, start);
  const products = target === EVERYTHING ? list.map(({ type }) => type) : findItem(list, target) === undefined ? [] : [target];
  const isPaidFor = (product: string): boolean =>
    heldAt(holdings, expiresAt).some((each) => each.product === product && chosenPlan(given, each, start)?.isFree !== true);
  const chosen = products.filter((product) => !isPaidFor(product)).map((product) => ({ product, plan: null }));
  return activated(holdings, given, chosen, expiresAt);
};

/** Whether a trial is of a product. */
export const isTrialOf = ({ target }: Trial, product: string, products: readonly string[]): boolean =>
  target === product || (target === EVERYTHING && products.includes(product));

/** The plan of a product that a stretch is in a month. */
export const planIn = (given: readonly GivenList[], stretch: Stretch, { start }: Month): Plan | undefined =>
  chosenPlan(given, stretch, start);
