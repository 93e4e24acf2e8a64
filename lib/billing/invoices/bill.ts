import { type CouponClaim, type CouponUse, takeOff, totalOff } from "../customer/coupon-claim.ts";
import { type CreditGrant, type CreditUse, payFrom } from "../customer/credit-grant.ts";
import type { Invoice, InvoiceLine } from "../invoices.ts";

/** The amounts of an invoice, cents: lines, less coupons, plus tax, less credit, is due. None is ever below zero. */
export interface Bill {
  readonly lines: readonly InvoiceLine[];
  readonly coupons: readonly CouponUse[];
  readonly credits: readonly CreditUse[];
  readonly subtotal: bigint;
  readonly coupon: bigint;
  readonly tax: bigint;
  readonly credit: bigint;
  readonly due: bigint;
}

/** Nobody is asked for tax: a deployment's owner adds it outside. */
const NO_TAX = 0n;

/** The bill of some lines, with what claims take off it and grants pay of it at a moment; coupons may be judged by an earlier one. */
export const computeBill = (
  lines: readonly InvoiceLine[],
  claims: readonly CouponClaim[],
  grants: readonly CreditGrant[],
  at: number,
  { livedAt = at }: { readonly livedAt?: number } = {},
): Bill => {
  const subtotal = lines.reduce((sum, { cents }) => sum + BigInt(cents), 0n);
  const amounts = lines.map(({ product, cents }) => ({ product, cents: BigInt(cents) }));
  const coupons = takeOff(amounts, claims, livedAt).filter(({ cents }) => cents > 0n);
  const coupon = totalOff(coupons);
  const payable = subtotal - coupon + NO_TAX;
  const credits = payFrom(grants, payable, at, livedAt);
  const credit = credits.reduce((sum, { cents }) => sum + cents, 0n);
  return { lines, coupons, credits, subtotal, coupon, tax: NO_TAX, credit, due: payable - credit };
};

/** The invoice with its bill: paid where nothing is due, else to be paid within a fortnight. */
export const issueInvoice = (invoice: Invoice, bill: Bill, now: number): Invoice => {
  const isPaid = bill.due === 0n;
  return {
    ...invoice,
    number: invoiceNumber(invoice),
    state: isPaid ? "paid" : "issued",
    lines: [...bill.lines],
    coupons: bill.coupons.map(({ claim, cents }) => ({ id: claim.slug, cents: Number(cents) })),
    credits: bill.credits.map(({ grant, cents }) => ({ id: grant.id, cents: Number(cents) })),
    subtotal_cents: Number(bill.subtotal),
    coupon_cents: Number(bill.coupon),
    tax_cents: Number(bill.tax),
    credit_cents: Number(bill.credit),
    due_cents: Number(bill.due),
    issued_at: now,
    paid_at: isPaid ? now : null,
    // Whoever collects comes at once, and again should they be cut off.
    due_at: isPaid ? null : now,
  };
};

const MONTH_CHARACTERS = 10;
const ORGANIZATION_CHARACTERS = 8;

/** Unlike any other: one per organization and period. The end of the organization's id is its random part. */
const invoiceNumber = ({ organization_id, period_start }: Invoice): string =>
  `${new Date(period_start).toISOString().slice(0, MONTH_CHARACTERS).replaceAll("-", "")}-${organization_id.slice(-ORGANIZATION_CHARACTERS).toUpperCase()}`;
