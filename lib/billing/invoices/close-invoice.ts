import { DAY_MS } from "../../core/time.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Ids } from "../../ports/system.ts";
import type { Write } from "../../ports/table.ts";
import { putting, removing } from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import { nextVersion } from "../../table/versions.ts";
import { readPriceHistory } from "../catalogue/price-history.ts";
import { type BillingParts, untilBillingWritten } from "../commands.ts";
import { type BillingAccount, BillingAccounts, withStatus } from "../customer/account.ts";
import { afterUse, CouponClaims } from "../customer/coupon-claim.ts";
import { type CreditGrant, CreditGrants, type CreditUse, deduct, entryWrite, grantWrites, payFrom } from "../customer/credit-grant.ts";
import { givenCredit } from "../customer/given-credit.ts";
import { type Subscription, Subscriptions, subscriptionState } from "../customer/subscription.ts";
import { type CustomerState, readCustomerState } from "../customer.ts";
import { type Invoice, type InvoiceKey, Invoices, isMade, readInvoices } from "../invoices.ts";
import { invoiceNotice } from "../notices.ts";
import { openProvider } from "../payments.ts";
import { type Period, periodAt } from "../rating/period.ts";
import type { PlanDays } from "../rating/plan-days.ts";
import { type Bill, computeBill, dropInvoice, fixBill, isNegligible, issueInvoice, payWithCredit } from "./bill.ts";
import { carriedLines } from "./carried-lines.ts";
import { closedLines } from "./closed-lines.ts";
import { giveNumber } from "./invoice-number.ts";
import { openInvoice } from "./open-invoice.ts";

type Parts = BillingParts & Pick<Ports, "config">;

/** What came of closing a period; `waits`: an earlier one of the organization has to be closed first; `none`: there was nothing to do. */
export type Closed = "made" | "dropped" | "deleted" | "waits" | "none";

/**
 * Makes the invoice of a period that is over, in steps of one transaction each: its bill is fixed, together with the coupons that it uses;
 * then credit pays of it, as long as there is any and something to pay; then it has its number and is issued, and the next period is opened.
 * A step is done once however often and by however many at once it is done, and one that was cut off is gone on with.
 */
export const closeInvoice = async (parts: Parts, key: InvoiceKey): Promise<Closed> => {
  let closed: Closed | undefined;
  while (closed === undefined) closed = await untilBillingWritten(() => takeStep(parts, key));
  return closed;
};

/** An invoice at a step, and all that the step is decided by, as of one reading. */
interface Closing {
  readonly invoice: Invoice;
  /** All of the organization's, the newest first. */
  readonly invoices: readonly Invoice[];
  readonly customer: CustomerState;
  readonly period: Period;
  readonly now: number;
}

/** Takes the next step; undefined where another one may follow. */
const takeStep = async (parts: Parts, key: InvoiceKey): Promise<Closed | undefined> => {
  const { table, clock } = parts;
  const now = clock.now();
  const [invoices, customer] = await Promise.all([readInvoices(table, key.organization_id), readCustomerState(table, key.organization_id)]);
  const invoice = invoices.find(({ period_start }) => period_start === key.period_start);
  if (invoice === undefined || isMade(invoice)) return "none";
  const closing: Closing = { invoice, invoices, customer, period: { start: invoice.period_start, end: invoice.period_end }, now };
  if (invoice.state === "open") return beginClosing(parts, closing);
  if ((invoice.uses_done ?? 0) < invoice.coupons.length) return useCoupons(parts, closing);
  const uses = payFrom(customer.grants, BigInt(invoice.due_cents), now, closing.period.end - 1).slice(0, GRANTS_AT_ONCE);
  return uses.length > 0 ? useCredit(parts, closing, uses) : issue(parts, closing);
};

/** A transaction takes a hundred writes: a claim is one of them, a grant two. */
const CLAIMS_AT_ONCE = 80;
const GRANTS_AT_ONCE = 30;

const beginClosing = async (parts: Parts, closing: Closing): Promise<Closed | undefined> => {
  const { invoice, invoices, now } = closing;
  if (invoice.due_at === null || invoice.due_at > now) return "none";
  const earlier = invoices.findLast((each) => !isMade(each) && each.period_start < invoice.period_start);
  return earlier === undefined ? fix(parts, closing) : waitFor(parts, closing, earlier);
};

/** The earlier one may be due later, after a failure: then this one is, too. */
const waitFor = async ({ table }: Parts, { invoice, now }: Closing, { due_at }: Invoice): Promise<Closed> => {
  if (due_at !== null && due_at > now) await table.transact([nextVersion(Invoices, { ...invoice, due_at })]);
  return "waits";
};

const fix = async (parts: Parts, closing: Closing): Promise<Closed | undefined> => {
  const { invoice, invoices, customer, period, now } = closing;
  const { table, ids } = parts;
  const { lines, days } = await closedLines(parts, invoice, customer, invoices.filter(isMade));
  const claims = customer.claims.filter(({ claimed_at }) => claimed_at < period.end);
  const bill = computeBill([...lines, ...carriedLines(invoices)], claims, period.end - 1);
  if (isLast(days, closing) && isNegligible(bill)) return drop(parts, closing, bill);
  const used = bill.coupons.slice(0, CLAIMS_AT_ONCE);
  const fixed: Invoice = { ...fixBill(invoice, bill, days), uses_done: used.length };
  const back = bill.returned === 0n ? [] : grantWrites(returned(invoice, bill, ids, now), ids, now);
  const taken = used.map(({ claim, cents }) => nextVersion(CouponClaims, afterUse(claim, cents)));
  await table.transact([nextVersion(Invoices, fixed), ...taken, ...back]);
  return undefined;
};

/** Credit without an end for what was billed before and is owed no more. */
const returned = ({ organization_id }: Invoice, bill: Bill, ids: Ids, now: number): CreditGrant =>
  givenCredit(organization_id, { source: "refund", cents: Number(bill.returned), expires_at: null }, ids, now);

/** Whether anything is subscribed in a period. */
const isSubscribed = ({ subscription }: CustomerState, { start, end }: Period): boolean =>
  subscription?.items.some(({ since, until }) => since < end && (until === null || until > start)) ?? false;

/** Whether an invoice that was opened for what comes late alone has remained that. */
const isLast = (days: readonly PlanDays[], { invoice, customer, period }: Closing): boolean =>
  invoice.is_last && days.every(({ is_trial }) => is_trial) && !isSubscribed(customer, period);

/** Ends with the invoice of a customer who holds nothing any more: one that says nothing is forgotten. */
const drop = async (parts: Parts, closing: Closing, bill: Bill): Promise<Closed> => {
  const { invoice } = closing;
  const isEmpty = bill.lines.every(({ cents }) => cents === 0);
  const end = isEmpty
    ? removing(Invoices, invoice, { kind: "equals", attribute: "version", value: invoice.version })
    : nextVersion(Invoices, dropInvoice(invoice, bill));
  await parts.table.transact([end, ...(await followingPeriod(parts, closing, { isOpened: false }))]);
  return isEmpty ? "deleted" : "dropped";
};

/** Coupons that the transaction which fixed them had no room for. Since then nothing else has used them: a later invoice waits for this one. */
const useCoupons = async ({ table }: Parts, { invoice, customer }: Closing): Promise<undefined> => {
  const from = invoice.uses_done ?? 0;
  const uses = invoice.coupons.slice(from, from + CLAIMS_AT_ONCE);
  const taken = uses.flatMap(({ id, cents }) => {
    const claim = customer.claims.find(({ slug }) => slug === id);
    return claim === undefined ? [] : [nextVersion(CouponClaims, afterUse(claim, BigInt(cents)))];
  });
  await table.transact([nextVersion(Invoices, { ...invoice, uses_done: from + uses.length }), ...taken]);
};

const useCredit = async ({ table, ids }: Parts, { invoice, now }: Closing, uses: readonly CreditUse[]): Promise<undefined> => {
  const taken = uses.flatMap(({ grant, cents }) => [
    nextVersion(CreditGrants, deduct(grant, cents)),
    entryWrite(grant, { delta_cents: -Number(cents), reason: "invoice", invoice_id: invoice.id }, ids, now),
  ]);
  await table.transact([nextVersion(Invoices, payWithCredit(invoice, uses)), ...taken]);
};

const issue = async (parts: Parts, closing: Closing): Promise<Closed> => {
  const { invoice, now } = closing;
  const { minimumCents } = openProvider(parts.config, parts.ids);
  const isCarried = invoice.due_cents > 0 && invoice.due_cents < minimumCents;
  const after = await followingPeriod(parts, closing, { isOpened: isCarried || !isLast(invoice.days, closing) });
  await giveNumber(parts.table, now, ({ number, taking }) => {
    const issued = issueInvoice(invoice, number, now, minimumCents);
    return parts.table.transact([nextVersion(Invoices, issued), taking, ...after, ...invoiceNotice(parts, issued)]);
  });
  return "made";
};

/**
 * The next period's invoice, and the subscription without what ended before it. There is one where anything runs in the period, and one more
 * after the last in which anything ran or something was carried: for what comes late.
 */
const followingPeriod = async (
  { table }: Parts,
  { customer, invoices, period, now }: Closing,
  { isOpened }: { readonly isOpened: boolean },
): Promise<readonly Write[]> => {
  const { account, subscription } = customer;
  const next = periodAt(account.anchor_day, period.end);
  const isThere = invoices.some(({ period_start }) => period_start === next.start);
  const isHeld = isSubscribed(customer, next);
  const opening: Write[] = [];
  if (!isThere && (isOpened || isHeld)) {
    const opened = openInvoice(account, next, (await readPriceHistory(table)).at(next.start));
    opening.push(putting(Invoices, { ...opened, is_last: !isHeld }, ABSENT));
  }
  if (subscription === undefined) return opening;
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
