import { greatest } from "../../core/bigints.ts";
import { type CouponClaim, type CouponUse, takeOff, totalOff } from "../customer/coupon-claim.ts";
import type { CreditUse } from "../customer/credit-grant.ts";
import type { Invoice, InvoiceLine } from "../invoices.ts";
import type { PlanDays } from "../rating/plan-days.ts";

/**
 * What an invoice asks for before any credit, cents. `subtotal`, the sum of the lines, may be below zero where late counts took back more
 * than was used; all others never are. It always holds that
 *
 *     subtotal + returned + tax = coupon + payable
 *
 * and, of the invoice that is made of it,
 *
 *     subtotal_cents + returned_cents + tax_cents = coupon_cents + credit_cents + due_cents + carried_cents
 */
export interface Bill {
  readonly lines: readonly InvoiceLine[];
  readonly coupons: readonly CouponUse[];
  readonly subtotal: bigint;
  readonly coupon: bigint;
  readonly tax: bigint;
  /** What credit pays, and then the customer. */
  readonly payable: bigint;
  /** What is left below zero, and comes back as credit. */
  readonly returned: bigint;
}

/** Nobody is asked for tax: a deployment's owner adds it outside. */
const NO_TAX = 0n;

/** The bill of some lines, with what claims take off it, judged by one moment. What was carried from an earlier invoice has had its coupons. */
export const computeBill = (lines: readonly InvoiceLine[], claims: readonly CouponClaim[], at: number): Bill => {
  const subtotal = lines.reduce((sum, { cents }) => sum + BigInt(cents), 0n);
  const amounts = lines
    .filter(({ carried_from }) => carried_from === null)
    .map(({ product, cents }) => ({ product, cents: BigInt(cents) }));
  const coupons = takeOff(amounts, claims, at).filter(({ cents }) => cents > 0n);
  const coupon = totalOff(coupons);
  const rest = subtotal - coupon + NO_TAX;
  return { lines, coupons, subtotal, coupon, tax: NO_TAX, payable: greatest(rest, 0n), returned: greatest(-rest, 0n) };
};

/** The invoice with its bill fixed: from now on nothing changes but what credit pays of it. */
export const fixBill = (invoice: Invoice, bill: Bill, days: readonly PlanDays[]): Invoice => ({
  ...invoice,
  state: "finalizing",
  days: [...days],
  lines: [...bill.lines],
  coupons: bill.coupons.map(({ claim, cents }) => ({ id: claim.slug, cents: Number(cents) })),
  subtotal_cents: Number(bill.subtotal),
  coupon_cents: Number(bill.coupon),
  tax_cents: Number(bill.tax),
  due_cents: Number(bill.payable),
  returned_cents: Number(bill.returned),
});

/** The invoice after grants paid of it. */
export const payWithCredit = (invoice: Invoice, uses: readonly CreditUse[]): Invoice => {
  const paid = new Map(invoice.credits.map(({ id, cents }) => [id, cents]));
  for (const { grant, cents } of uses) paid.set(grant.id, (paid.get(grant.id) ?? 0) + Number(cents));
  const cents = uses.reduce((sum, use) => sum + Number(use.cents), 0);
  return {
    ...invoice,
    credits: [...paid].map(([id, used]) => ({ id, cents: used })),
    credit_cents: invoice.credit_cents + cents,
    due_cents: invoice.due_cents - cents,
  };
};

/**
 * The invoice as it is sent out: paid where nothing is due, else to be paid within a fortnight. What is less than the `minimum` that can
 * be collected, cents, is left to the next invoice.
 */
export const issueInvoice = (invoice: Invoice, number: string, now: number, minimum = 0): Invoice => {
  const isCarried = invoice.due_cents > 0 && invoice.due_cents < minimum;
  const isPaid = invoice.due_cents === 0 || isCarried;
  return {
    ...settled(invoice),
    number,
    state: isPaid ? "paid" : "issued",
    due_cents: isCarried ? 0 : invoice.due_cents,
    carried_cents: isCarried ? invoice.due_cents : 0,
    issued_at: now,
    paid_at: isPaid ? now : null,
    // Whoever collects comes at once, and again should they be cut off.
    due_at: isPaid ? null : now,
  };
};

/** Less than this is not asked for where no invoice follows that could ask for it, cents. */
const LEAST_LAST = 50n;

/** Whether a bill that none follows comes to next to nothing. */
export const isNegligible = ({ subtotal }: Bill): boolean => subtotal >= 0n && subtotal < LEAST_LAST;

/** The last invoice of a customer, which nobody is asked to pay. It uses no coupons. */
export const dropInvoice = (invoice: Invoice, bill: Bill): Invoice => ({
  ...settled(fixBill(invoice, { ...bill, coupons: [], coupon: 0n, payable: bill.subtotal }, [])),
  state: "voided",
  note: `It is the last invoice, and comes to less than ${LEAST_LAST} cents.`,
  due_at: null,
});

/** Without the marks of the work on it. */
const settled = (invoice: Invoice): Invoice => ({ ...invoice, uses_done: undefined, failures: undefined, failure: undefined });
