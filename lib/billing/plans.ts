import { isoSeconds } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table, Write } from "../ports/table.ts";
import { get } from "../table/store.ts";
import { nextVersion } from "../table/versions.ts";
import type { Products } from "./catalogue/catalogue.ts";
import { soldWith } from "./catalogue/period-prices.ts";
import { type BillingParts, type Command, type CommandOutcome, refused, runCommand } from "./commands.ts";
import { BillingAccounts, withStatus } from "./customer/account.ts";
import {
  addChoices,
  choice,
  endProducts,
  parseChoices,
  runningItems,
  type Subscription,
  Subscriptions,
  switchChoice,
} from "./customer/subscription.ts";
import { cancelActiveTrial, conversionChoices, newTrial, type Trial, Trials, trialStatus } from "./customer/trial.ts";
import { type CustomerState, readCustomerState } from "./customer.ts";
import { type AccountPrices, readAccountPrices } from "./invoices/open-invoice.ts";
import { isUnpaid, readInvoices } from "./invoices.ts";
import { outlookAt } from "./overview/outlook.ts";
import { type Overview, presentOverview } from "./overview.ts";
import { checkPaymentMethod } from "./payments/payment-provider.ts";
import { openProvider } from "./payments.ts";
import { runTermsCommand, type TermsParts } from "./quotas.ts";
import { readPeriodUsage } from "./rating/period.ts";
import { foldDays } from "./rating/plans-by-day.ts";

/** Plans that an organization subscribes to, and those that it tries. What is refused is refused with 400, by rules of billing's own. */

type Parts = TermsParts & Pick<Ports, "ids">;

/** A customer before a command: what ended by itself is written down, what ran on days that are over is told by days. */
interface Standing {
  readonly customer: CustomerState;
  readonly now: number;
  readonly prices: AccountPrices;
  /** The writes of a command that leaves the customer with this subscription, those that its standing requires among them. */
  writes(subscription: Subscription): Promise<readonly Write[]>;
}

const readStanding = async ({ table, clock, ids }: BillingParts, organization: string): Promise<Standing> => {
  const read = await readCustomerState(table, organization);
  const now = clock.now();
  const prices = await readAccountPrices(table, read.account, now);
  const over = read.trials.filter((trial) => trial.status === "active" && trial.expires_at <= now);
  const ended = over.map((trial): Trial => ({ ...trial, status: trialStatus(trial, now), due_at: null }));
  const of = { organization_id: organization, id: ids.ulid() };
  const converting = over.filter(({ type }) => type === "autosubscribe");
  const begun = converting.reduce<Subscription | undefined>((held, trial) => {
    const choices = conversionChoices(held?.items ?? [], trial, prices.at(trial.expires_at));
    return choices.length === 0 ? held : addChoices(held, of, choices, trial.expires_at);
  }, read.subscription);
  const subscription = begun && foldDays(begun, read.trials, prices.at, now);
  const trials = read.trials.map((trial) => ended.find(({ target }) => target === trial.target) ?? trial);
  const from = Math.min(now, ...converting.map(({ expires_at }) => expires_at));
  return {
    customer: { ...read, subscription, trials },
    now,
    prices,
    async writes(next) {
      if (next.days.length + next.items.length > MOST_RUNS) throw refused("too_many_changes", TOO_MANY_CHANGES);
      const account = nextVersion(BillingAccounts, withStatus(read.account, next, now));
      return [
        account,
        nextVersion(Subscriptions, next),
        ...ended.map((trial) => nextVersion(Trials, trial)),
        ...(next.items.length === 0 ? [] : await prices.opening(from)),
      ];
    },
  };
};

/** More are kept of no customer: an item has to fit the table. */
const MOST_RUNS = 2_000;
const TOO_MANY_CHANGES = "Plans were changed too often in this period. Change them again when its invoice is made.";

interface Subscribed {
  readonly success: true;
  readonly products: readonly string[];
}

/** Subscribes to a list such as `product_analytics:paid-20260101,surveys`; without a plan to a product's default one. */
export const subscribe = (parts: Parts, command: Command, products: string): Promise<Subscribed> =>
  runTermsCommand(parts, command, async (): Promise<CommandOutcome<Subscribed>> => {
    const { customer, now, prices, writes } = await readStanding(parts, command.organization);
    const { account, subscription } = customer;
    const choices = parseChoices(prices.current.catalogue, products);
    checkPaymentMethod(openProvider(parts.config, parts.ids), account);
    const next = addChoices(subscription, { organization_id: account.organization_id, id: parts.ids.ulid() }, choices, now);
    const answer = { success: true, products: choices.map(({ product }) => product) } as const;
    return { writes: next === subscription ? [] : await writes(next), answer };
  });

/** A product under one of its plans. */
export interface PlanKey {
  readonly product: string;
  readonly plan_key: string;
}

/** Subscribes to one plan in the place of another, in one step. */
export const switchPlan = (parts: Parts, command: Command, from: PlanKey, to: PlanKey): Promise<{ readonly success: true }> =>
  runTermsCommand(parts, command, async () => {
    const { customer, now, prices, writes } = await readStanding(parts, command.organization);
    const next = switchChoice(customer.subscription, from, choice(prices.current.catalogue, to.product, to.plan_key), now);
    return { writes: next === customer.subscription ? [] : await writes(next), answer: { success: true } as const };
  });

/**
 * Ends the subscription to products and their addons, at once or with the period. Refuses while invoices are unpaid. The answer is made
 * of the overview afterwards.
 */
export const unsubscribe = <T>(
  parts: Parts,
  command: Command,
  { products, atPeriodEnd }: { readonly products: string; readonly atPeriodEnd: boolean },
  answerWith: (overview: Overview) => T,
): Promise<T> =>
  runTermsCommand(parts, command, async () => {
    const { customer, now, prices, writes } = await readStanding(parts, command.organization);
    const { subscription } = customer;
    const { plan, period } = prices.current;
    // Also what this period's list does not have, because it is paid for.
    const sold = soldWith(
      prices.current,
      runningItems(subscription, now).map((item) => plan(item, item.since)),
    );
    const chosen = parseChoices(sold, products).map(({ product }) => product);
    const unpaid = (await readInvoices(parts.table, command.organization)).filter(isUnpaid);
    if (unpaid.length > 0) throw refused("open_invoices_error", OPEN_INVOICES);
    const next = subscription && endProducts(subscription, withAddons(sold, chosen), now, atPeriodEnd ? period.end : now);
    const then: CustomerState = { ...customer, account: withStatus(customer.account, next, now), subscription: next };
    const usage = await readPeriodUsage(parts, command.organization, period);
    const answer = answerWith(await presentOverview(parts.table, outlookAt(then, prices.current, usage, now)));
    return { writes: next === undefined || next === subscription ? [] : await writes(next), answer };
  });

const OPEN_INVOICES = "There are unpaid invoices. Pay them first, then end the subscription.";

const withAddons = ({ products }: Products, types: readonly string[]): readonly string[] => [
  ...types,
  ...products.filter(({ type }) => types.includes(type)).flatMap(({ addons }) => addons.map(({ type }) => type)),
];

/** Whether an organization has a subscription that nobody has cancelled. */
export const hasActiveSubscription = async (table: Table, organization_id: string): Promise<boolean> =>
  (await get(table, Subscriptions, { organization_id }, { consistent: true }))?.state === "active";

interface StartedTrial {
  readonly success: true;
  /** `expires_at` is ISO 8601. */
  readonly trial: Pick<Trial, "type" | "status" | "target"> & { readonly expires_at: string };
}

/** Begins a trial of everything that is sold by use (`paid`), of a product or of an addon: one at a time, and each target once. */
export const startTrial = (parts: Parts, command: Command, chosen: Pick<Trial, "type" | "target">): Promise<StartedTrial> =>
  runTermsCommand(parts, command, async () => {
    const { account, trials } = await readCustomerState(parts.table, command.organization);
    const now = parts.clock.now();
    const { current } = await readAccountPrices(parts.table, account, now);
    const trial = newTrial({ trials, organization_id: account.organization_id }, current.catalogue, chosen, now);
    const { type, status, target, expires_at } = trial;
    const answer = { success: true, trial: { type, status, target, expires_at: isoSeconds(expires_at) } } as const;
    return { writes: [nextVersion(BillingAccounts, account), nextVersion(Trials, trial)], answer };
  });

/** Cancels the running trial. */
export const cancelTrial = (parts: Parts, command: Command): Promise<null> =>
  runTermsCommand(parts, command, async () => {
    const { account, trials } = await readCustomerState(parts.table, command.organization);
    const trial = cancelActiveTrial(trials, parts.clock.now());
    return { writes: [nextVersion(BillingAccounts, account), nextVersion(Trials, trial)], answer: null };
  });

/** Ends a trial that is over: one that converts subscribes to what was tried, from the moment of its end on. */
export const endTrial = async (
  parts: BillingParts,
  { organization_id, target }: Pick<Trial, "organization_id" | "target">,
): Promise<void> => {
  await runCommand(parts, { organization: organization_id, operation: "end-trial", key: undefined, body: null }, async () => {
    const { customer, now, writes } = await readStanding(parts, organization_id);
    const stored = await get(parts.table, Trials, { organization_id, target }, { consistent: true });
    if (stored?.status !== "active" || stored.expires_at > now) return { writes: [], answer: null };
    if (customer.subscription !== undefined) return { writes: await writes(customer.subscription), answer: null };
    return { writes: [nextVersion(Trials, { ...stored, status: trialStatus(stored, now), due_at: null })], answer: null };
  });
};
