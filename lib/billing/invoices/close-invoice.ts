import type { Write } from "../../ports/table.ts";
import { get, putting } from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import { catalogueById, currentCatalogue } from "../catalogue/current-catalogue.ts";
import { type BillingParts, nextVersion, runCommand } from "../commands.ts";
import { type BillingAccount, BillingAccounts, withStatus } from "../customer/account.ts";
import { afterUse, CouponClaims } from "../customer/coupon-claim.ts";
import { CreditGrants, deduct, entryWrite } from "../customer/credit-grant.ts";
import { type Subscription, Subscriptions, subscriptionState } from "../customer/subscription.ts";
import { type CustomerState, readCustomerState } from "../customer.ts";
import { type Invoice, type InvoiceKey, type InvoiceLine, Invoices, isMade, readInvoices } from "../invoices.ts";
import { type Charge, runsIn, subscriptionCharges } from "../rating/charges.ts";
import { type Period, periodAt, readPeriodUsage } from "../rating/period.ts";
import { type Bill, computeBill, issueInvoice } from "./bill.ts";
import { lateLines } from "./late-lines.ts";
import { openInvoice } from "./open-invoice.ts";

/**
 * Makes the invoice of a period that is over: everything that it takes, of coupons and of credit, in one transaction with itself, so
 * that however often and by however many at once this is done, it is done once.
 */
export const closeInvoice = async (parts: BillingParts, key: InvoiceKey): Promise<void> => {
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
      nextVersion(CreditGrants, deduct(grant, cents)),
      entryWrite(grant, { delta_cents: -Number(cents), reason: "invoice", invoice_id: invoice.id }, ids, now),
    ]);
    const claims = bill.coupons.map(({ claim, cents }) => nextVersion(CouponClaims, afterUse(claim, cents)));
    const after = await followingPeriod(parts, customer, period, now);
    return { writes: [nextVersion(Invoices, issueInvoice(invoice, bill, now)), ...taken, ...claims, ...after], answer: null };
  });
};

const billFor = async (parts: BillingParts, invoice: Invoice, customer: CustomerState, period: Period, now: number): Promise<Bill> => {
  const [catalogue, usage, made] = await Promise.all([
    catalogueById(parts.table, invoice.catalogue_id),
    readPeriodUsage(parts, invoice.organization_id, period),
    readInvoices(parts.table, invoice.organization_id),
  ]);
  const late = await lateLines(parts, invoice, made.filter(isMade));
  const lines = [...subscriptionCharges(customer.subscription, catalogue, period, usage).map(chargeLine), ...late];
  const claims = customer.claims.filter(({ claimed_at }) => claimed_at < period.end);
  return computeBill(lines, claims, customer.grants, now, { livedAt: period.end - 1 });
};

const chargeLine = ({ kind, item, plan, quantity, lastDay, cents }: Charge): InvoiceLine => ({
  product: item.type,
  plan_key: plan.plan_key,
  description: `${item.name}, ${plan.name}`,
  usage_type: kind === "use" ? item.usage_type : null,
  quantity: Number(quantity),
  cents: Number(cents),
  last_day: lastDay,
  late_of: null,
  carried_from: null,
});

/** The next period's invoice, where anything runs in it, and the subscription without what ended before it. */
const followingPeriod = async (
  { table }: BillingParts,
  { account, subscription }: CustomerState,
  period: Period,
  now: number,
): Promise<readonly Write[]> => {
  if (subscription === undefined) return [];
  const next = periodAt(account.anchor_day, period.end);
  const { organization_id } = account;
  const exists = await get(table, Invoices, { organization_id, period_start: next.start }, { consistent: true });
  const isNeeded = exists === undefined && subscription.items.some((item) => runsIn(item, next));
  const opening = isNeeded ? [putting(Invoices, openInvoice(account, next, await currentCatalogue(table, now)), ABSENT)] : [];
  return [...opening, ...settingStatus(account, subscription, now), ...pruning(subscription, period, now)];
};

/** Nobody writes down that a subscription ends with its period but the closing of that period. */
const settingStatus = (account: BillingAccount, subscription: Subscription, now: number): readonly Write[] => {
  const next = withStatus(account, subscription, now);
  return next.status === account.status ? [] : [nextVersion(BillingAccounts, next)];
};

const pruning = (subscription: Subscription, { end }: Period, now: number): readonly Write[] => {
  const items = subscription.items.filter(({ until }) => until === null || until > end);
  const state = subscriptionState(subscription, now);
  if (items.length === subscription.items.length && state === subscription.state) return [];
  return [nextVersion(Subscriptions, { ...subscription, items, state })];
};
