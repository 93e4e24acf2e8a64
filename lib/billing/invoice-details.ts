import type { Table } from "../ports/table.ts";
import { findItem } from "./catalogue/catalogue.ts";
import { readPriceHistory } from "./catalogue/price-history.ts";
import type { CreditGrant } from "./customer/credit-grant.ts";
import { readCustomerState } from "./customer.ts";
import { type Invoice, type InvoiceLine, isMade, readInvoices } from "./invoices.ts";
import { type PaymentAttempt, readAttempts } from "./payments/payment-attempt.ts";

/** A line with the unit of its quantity; null where nothing is counted. */
export interface DetailedLine extends InvoiceLine {
  readonly unit: string | null;
}

/** The cents that a coupon took off an invoice. */
export interface CouponOnInvoice {
  readonly slug: string;
  readonly code: string | null;
  readonly campaign_name: string;
  readonly cents: number;
}

/** The cents that a grant of credit paid of an invoice. */
export interface CreditOnInvoice {
  readonly grant_id: string;
  /** Null where the grant is not kept any more. */
  readonly source: CreditGrant["source"] | null;
  readonly cents: number;
}

/** An invoice with all that is told of it. */
export interface InvoiceDetails {
  readonly invoice: Invoice;
  readonly lines: readonly DetailedLine[];
  readonly coupons: readonly CouponOnInvoice[];
  readonly credits: readonly CreditOnInvoice[];
  /** The attempts to collect it, the first one first. */
  readonly payments: readonly PaymentAttempt[];
}

/** An invoice of an organization by its id or by its number; undefined for one of another, or that is not made yet. */
export const readInvoiceDetails = async (table: Table, organization_id: string, name: string): Promise<InvoiceDetails | undefined> => {
  const made = (await readInvoices(table, organization_id)).filter(isMade);
  const invoice = made.find(({ id, number }) => id === name || number === name);
  if (invoice === undefined) return undefined;
  const [prices, { claims, grants }, payments] = await Promise.all([
    readPriceHistory(table),
    readCustomerState(table, organization_id),
    readAttempts(table, { organization_id, kind: "invoice", subject_id: String(invoice.period_start) }),
  ]);
  const catalogue = prices.named(invoice.catalogue_id);
  const { period_start: start } = invoice;
  // What the invoice's own list does not have is of a list before.
  const unitOf = (line: InvoiceLine): string | null =>
    (findItem(catalogue, line.product) ?? prices.heldPlan(line, start, start)?.item)?.unit ?? null;
  return {
    invoice,
    payments,
    lines: invoice.lines.map((line) => ({ ...line, unit: unitOfLine(line, unitOf(line)) })),
    coupons: invoice.coupons.map(({ id: slug, cents }) => {
      const claim = claims.find((each) => each.slug === slug);
      return { slug, code: claim?.code ?? null, campaign_name: claim?.campaign_name ?? slug, cents };
    }),
    credits: invoice.credits.map(({ id, cents }) => ({
      grant_id: id,
      source: grants.find((each) => each.id === id)?.source ?? null,
      cents,
    })),
  };
};

/** A fee is for days; what is carried over is a sum and no quantity. */
const unitOfLine = ({ usage_type, carried_from }: InvoiceLine, counted: string | null): string | null => {
  if (carried_from !== null) return null;
  return usage_type === null ? "day" : counted;
};
