import { isoSeconds } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { get } from "../table/store.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { currentCatalogue } from "./catalogue/current-catalogue.ts";
import { type BillingParts, type Command, type CommandOutcome, nextVersion, refused, runCommand } from "./commands.ts";
import { BillingAccounts, withStatus } from "./customer/account.ts";
import { addChoices, choice, endProducts, parseChoices, type Subscription, Subscriptions, switchChoice } from "./customer/subscription.ts";
import { cancelActiveTrial, conversionChoices, newTrial, type Trial, Trials, trialStatus } from "./customer/trial.ts";
import { type CustomerState, readCustomerState } from "./customer.ts";
import { currentPrices } from "./invoices/open-invoice.ts";
import { isUnpaid, readInvoices } from "./invoices.ts";
import { outlookAt } from "./overview/outlook.ts";
import { type Overview, presentOverview } from "./overview.ts";
import { checkPaymentMethod } from "./payments/payment-provider.ts";
import { openProvider } from "./payments.ts";
import { runTermsCommand, type TermsParts } from "./quotas.ts";
import { periodAt, readPeriodUsage } from "./rating/period.ts";

/** Plans that an organization subscribes to, and those that it tries. What is refused is refused with 400, by rules of billing's own. */

type Parts = TermsParts & Pick<Ports, "ids">;

interface Subscribed {
  readonly success: true;
  readonly products: readonly string[];
}

/** Subscribes to a list such as `product_analytics:paid-20260101,surveys`; without a plan to a product's default one. */
export const subscribe = (parts: Parts, command: Command, products: string): Promise<Subscribed> =>
  runTermsCommand(parts, command, async (): Promise<CommandOutcome<Subscribed>> => {
    const { account, subscription } = await readCustomerState(parts.table, command.organization);
    const now = parts.clock.now();
    const { catalogue, opening } = await currentPrices(parts.table, account, now);
    const choices = parseChoices(catalogue, products);
    checkPaymentMethod(openProvider(parts.config, parts.ids), account);
    const next = addChoices(subscription, { organization_id: account.organization_id, id: parts.ids.ulid() }, choices, now);
    const answer = { success: true, products: choices.map(({ product }) => product) } as const;
    if (next === subscription) return { writes: [], answer };
    const writes = [nextVersion(BillingAccounts, withStatus(account, next, now)), nextVersion(Subscriptions, next), ...opening];
    return { writes, answer };
  });

/** A product under one of its plans. */
export interface PlanKey {
  readonly product: string;
  readonly plan_key: string;
}

/** Subscribes to one plan in the place of another, in one step. */
export const switchPlan = (parts: Parts, command: Command, from: PlanKey, to: PlanKey): Promise<{ readonly success: true }> =>
  runTermsCommand(parts, command, async () => {
    const { account, subscription } = await readCustomerState(parts.table, command.organization);
    const now = parts.clock.now();
    const { catalogue, opening } = await currentPrices(parts.table, account, now);
    const next = switchChoice(subscription, from, choice(catalogue, to.product, to.plan_key), now);
    const answer = { success: true } as const;
    if (next === subscription) return { writes: [], answer };
    return { writes: [nextVersion(BillingAccounts, account), nextVersion(Subscriptions, next), ...opening], answer };
  });

/**
 * Ends the subscription to products and their addons, at once or with the period. Refuses, with `link` to where they are paid, while
 * invoices are unpaid. The answer is made of the overview afterwards.
 */
export const unsubscribe = <T>(
  parts: Parts,
  command: Command,
  { products, atPeriodEnd, link }: { readonly products: string; readonly atPeriodEnd: boolean; readonly link: string },
  answerWith: (overview: Overview) => T,
): Promise<T> =>
  runTermsCommand(parts, command, async () => {
    const now = parts.clock.now();
    const customer = await readCustomerState(parts.table, command.organization);
    const { account, subscription } = customer;
    const { catalogue } = await currentPrices(parts.table, account, now);
    const chosen = parseChoices(catalogue, products).map(({ product }) => product);
    const unpaid = (await readInvoices(parts.table, command.organization)).filter(isUnpaid);
    if (unpaid.length > 0) throw refused("open_invoices_error", OPEN_INVOICES, { link });
    const period = periodAt(account.anchor_day, now);
    const next = subscription && endProducts(subscription, withAddons(catalogue, chosen), now, atPeriodEnd ? period.end : now);
    const then: CustomerState = { ...customer, account: withStatus(account, next, now), subscription: next };
    const usage = await readPeriodUsage(parts, command.organization, period);
    const answer = answerWith(await presentOverview(parts.table, outlookAt(then, catalogue, usage, now)));
    const writes = next === undefined ? [] : [nextVersion(BillingAccounts, then.account), nextVersion(Subscriptions, next)];
    return { writes, answer };
  });

const OPEN_INVOICES = "There are unpaid invoices. Pay them first, then end the subscription.";

const withAddons = ({ products }: Catalogue, types: readonly string[]): readonly string[] => [
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
    const catalogue = await currentCatalogue(parts.table, now);
    const trial = newTrial({ trials, organization_id: account.organization_id }, catalogue, chosen, now);
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

/** Ends a trial that is over: one that converts subscribes to what was tried. */
export const endTrial = async (
  parts: BillingParts,
  { organization_id, target }: Pick<Trial, "organization_id" | "target">,
): Promise<void> => {
  const { table, clock, ids } = parts;
  await runCommand(parts, { organization: organization_id, operation: "end-trial", key: undefined, body: null }, async () => {
    const now = clock.now();
    const { account, subscription, trials } = await readCustomerState(table, organization_id);
    const trial = trials.find((each) => each.target === target);
    if (trial?.status !== "active" || trial.expires_at > now) return { writes: [], answer: null };
    const status = trialStatus(trial, now);
    const ended = nextVersion(Trials, { ...trial, status, due_at: null });
    if (status !== "converted") return { writes: [ended], answer: null };
    const { catalogue, opening } = await currentPrices(table, account, now);
    const next: Subscription = addChoices(subscription, { organization_id, id: ids.ulid() }, conversionChoices(catalogue, trial), now);
    const changed = [nextVersion(BillingAccounts, withStatus(account, next, now)), nextVersion(Subscriptions, next)];
    return { writes: [ended, ...changed, ...opening], answer: null };
  });
};
