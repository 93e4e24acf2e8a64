import type { Ports } from "../../ports/ports.ts";
import type { Write } from "../../ports/table.ts";
import { get, putting } from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import { type BillingAccount, BillingAccounts } from "../accounts.ts";
import { catalogueOf, currentCatalogue } from "../catalogue/current-catalogue.ts";
import { CouponClaims } from "../coupon-claims.ts";
import { afterUse } from "../credit/coupons.ts";
import { used } from "../credit/credits.ts";
import { entering } from "../credit/purchase.ts";
import { CreditGrants } from "../credits.ts";
import { type CustomerState, readCustomerState } from "../customer-state.ts";
import { type Invoice, type InvoiceLine, Invoices } from "../invoices.ts";
import { type Period, periodAt } from "../period.ts";
import { usageIn } from "../period-usage.ts";
import { type Charge, chargesOf, runs } from "../rating/charges.ts";
import { replacing } from "../replacing.ts";
import { runCommand } from "../run-command.ts";
import { subscriptionState } from "../subscriptions/subscription.ts";
import { withStatus } from "../subscriptions/suspension.ts";
import { type Subscription, Subscriptions } from "../subscriptions.ts";
import { type Bill, billOf, issued } from "./bill.ts";
import { readInvoices } from "./invoice-list.ts";
import { isMade } from "./invoice-states.ts";
import { lateLines } from "./late-lines.ts";
import { openInvoice } from "./open-invoice.ts";

export type ClosingParts = Pick<Ports, "table" | "objects" | "clock" | "ids">;

/** Which invoice of which organization. */
export type InvoiceKey = Pick<Invoice, "organization_id" | "period_start">;

/**
 * Makes the invoice of a period that is over: everything that it takes, of coupons and of credit, in one transaction with itself, so
 * that however often and by however many at once this is done, it is done once.
 */
export const closeInvoice = async (parts: ClosingParts, key: InvoiceKey): Promise<void> => {
  const { table, clock, ids } = parts;
  await runCommand(parts, { organization: key.organization_id, operation: "close", key: undefined, body: null }, async () => {
    const now = clock.now();
    const [invoice, customer] = await Promise.all([
      get(table, Invoices, key, { consistent: true }),
      readCustomerState(table, key.organization_id),
    ]);
    if (invoice?.state !== "open" || invoice.due_at === null || invoice.due_at > now) return { writes: [], answer: null };
    const period = { start: invoice.period_start, end: invoice.period_end };
    const bill = await billFor(parts, invoice, customer, period, now);
    const taken = bill.credits.flatMap(({ grant, cents }) => [
      replacing(CreditGrants, used(grant, cents)),
      entering(grant, { delta_cents: -Number(cents), reason: "invoice", invoice_id: invoice.id }, ids, now),
    ]);
    const claims = bill.coupons.map(({ claim, cents }) => replacing(CouponClaims, afterUse(claim, cents)));
    const after = await followingPeriod(parts, customer, period, now);
    return { writes: [replacing(Invoices, issued(invoice, bill, now)), ...taken, ...claims, ...after], answer: null };
  });
};

const billFor = async (parts: ClosingParts, invoice: Invoice, customer: CustomerState, period: Period, now: number): Promise<Bill> => {
  const [catalogue, usage, made] = await Promise.all([
    catalogueOf(parts.table, invoice.catalogue_id),
    usageIn(parts, invoice.organization_id, period),
    readInvoices(parts.table, invoice.organization_id),
  ]);
  const late = await lateLines(parts, invoice, made.filter(isMade));
  const lines = [...chargesOf(customer.subscription, catalogue, period, usage).map(lineOf), ...late];
  const claims = customer.claims.filter(({ claimed_at }) => claimed_at < period.end);
  return billOf(lines, claims, customer.grants, now, { livedAt: period.end - 1 });
};

const lineOf = ({ kind, item, plan, quantity, lastDay, cents }: Charge): InvoiceLine => ({
  product: item.type,
  plan_key: plan.plan_key,
  description: `${item.name}, ${plan.name}`,
  usage_type: kind === "use" ? item.usage_type : null,
  quantity: Number(quantity),
  cents: Number(cents),
  last_day: lastDay,
  late_of: null,
});

/** The next period's invoice, where anything runs in it, and the subscription without what ended before it. */
const followingPeriod = async (
  { table }: ClosingParts,
  { account, subscription }: CustomerState,
  period: Period,
  now: number,
): Promise<readonly Write[]> => {
  if (subscription === undefined) return [];
  const next = periodAt(account.anchor_day, period.end);
  const { organization_id } = account;
  const exists = await get(table, Invoices, { organization_id, period_start: next.start }, { consistent: true });
  const isNeeded = exists === undefined && subscription.items.some((item) => runs(item, next));
  const opening = isNeeded ? [putting(Invoices, openInvoice(account, next, await currentCatalogue(table, now)), ABSENT)] : [];
  return [...opening, ...settingStatus(account, subscription, now), ...pruning(subscription, period, now)];
};

/** Nobody writes down that a subscription ends with its period but the closing of that period. */
const settingStatus = (account: BillingAccount, subscription: Subscription, now: number): readonly Write[] => {
  const next = withStatus(account, subscription, now);
  return next.status === account.status ? [] : [replacing(BillingAccounts, next)];
};

const pruning = (subscription: Subscription, { end }: Period, now: number): readonly Write[] => {
  const items = subscription.items.filter(({ until }) => until === null || until > end);
  const state = subscriptionState(subscription, now);
  if (items.length === subscription.items.length && state === subscription.state) return [];
  return [replacing(Subscriptions, { ...subscription, items, state })];
};
