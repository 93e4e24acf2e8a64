import { DAY_MS } from "../../core/time.ts";
import type { Write } from "../../ports/table.ts";
import { get, putting } from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import { readPriceHistory } from "../catalogue/price-history.ts";
import { type BillingParts, nextVersion, runCommand } from "../commands.ts";
import { type BillingAccount, BillingAccounts, withStatus } from "../customer/account.ts";
import { afterUse, CouponClaims } from "../customer/coupon-claim.ts";
import { CreditGrants, deduct, entryWrite } from "../customer/credit-grant.ts";
import { type Subscription, Subscriptions, subscriptionState } from "../customer/subscription.ts";
import { type CustomerState, readCustomerState } from "../customer.ts";
import { type InvoiceKey, Invoices } from "../invoices.ts";
import { type Period, periodAt } from "../rating/period.ts";
import { computeBill, issueInvoice } from "./bill.ts";
import { closedLines } from "./closed-lines.ts";
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
    const { lines, days } = await closedLines(parts, invoice, customer);
    const claims = customer.claims.filter(({ claimed_at }) => claimed_at < period.end);
    const bill = computeBill(lines, claims, customer.grants, now, { livedAt: period.end - 1 });
    const taken = bill.credits.flatMap(({ grant, cents }) => [
      nextVersion(CreditGrants, deduct(grant, cents)),
      entryWrite(grant, { delta_cents: -Number(cents), reason: "invoice", invoice_id: invoice.id }, ids, now),
    ]);
    const used = bill.coupons.map(({ claim, cents }) => nextVersion(CouponClaims, afterUse(claim, cents)));
    const after = await followingPeriod(parts, customer, period, now);
    return {
      writes: [nextVersion(Invoices, { ...issueInvoice(invoice, bill, now), days: [...days] }), ...taken, ...used, ...after],
      answer: null,
    };
  });
};

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
  const isNeeded =
    exists === undefined && subscription.items.some(({ since, until }) => since < next.end && (until === null || until > next.start));
  const opening = isNeeded ? [putting(Invoices, openInvoice(account, next, (await readPriceHistory(table)).at(next.start)), ABSENT)] : [];
  return [...opening, ...settingStatus(account, subscription, now), ...pruning(subscription, period, now)];
};

/** Nobody writes down that a subscription ends with its period but the closing of that period. */
const settingStatus = (account: BillingAccount, subscription: Subscription, now: number): readonly Write[] => {
  const next = withStatus(account, subscription, now);
  return next.status === account.status ? [] : [nextVersion(BillingAccounts, next)];
};

/** The invoice tells the days of its period from now on. */
const pruning = (subscription: Subscription, { end }: Period, now: number): readonly Write[] => {
  const items = subscription.items.filter(({ until }) => until === null || until > end);
  const days = subscription.days.filter(({ last_day }) => last_day * DAY_MS >= end);
  const state = subscriptionState(subscription, now);
  const isSame = items.length === subscription.items.length && days.length === subscription.days.length && state === subscription.state;
  return isSame ? [] : [nextVersion(Subscriptions, { ...subscription, items, days, state })];
};
