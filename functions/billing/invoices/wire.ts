import * as z from "zod";
import type { DetailedLine, InvoiceDetails } from "../../../lib/billing/invoice-details.ts";
import { invoiceTotal } from "../../../lib/billing/invoice-total.ts";
import { INVOICE_STATES, type Invoice, isUnpaid } from "../../../lib/billing/invoices.ts";
import { formatUsd } from "../../../lib/core/money.ts";
import { isoSeconds } from "../../../lib/core/time.ts";

/** An invoice without its lines. */
export const InvoiceSummary = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    status: z.enum(INVOICE_STATES),
    period_start: z.string(),
    period_end: z.string(),
    issued_at: z.string().nullable(),
    paid_at: z.string().nullable(),
    subtotal_usd: z.string(),
    coupons_usd: z.string(),
    tax_usd: z.string(),
    returned_usd: z.string(),
    total_usd: z.string(),
    credit_usd: z.string(),
    carried_cents: z.int(),
    payable_usd: z.string(),
    amount_due_usd: z.string(),
    note: z.string().nullable(),
  })
  .meta({ id: "BillingInvoiceSummary" });

const InvoiceLine = z
  .object({
    product: z.string(),
    plan_key: z.string(),
    description: z.string(),
    usage_type: z.string().nullable(),
    quantity: z.int(),
    unit: z.string().nullable(),
    amount_usd: z.string(),
    late_of: z.string().nullable(),
    carried_from: z.string().nullable(),
  })
  .meta({ id: "BillingInvoiceLine" });

const CouponUse = z
  .object({ slug: z.string(), code: z.string().nullable(), campaign_name: z.string(), amount_usd: z.string() })
  .meta({ id: "BillingInvoiceCouponUse" });

const CreditEntry = z
  .object({ grant_id: z.string(), source: z.string().nullable(), amount_usd: z.string(), at: z.string().nullable() })
  .meta({ id: "BillingInvoiceCreditEntry" });

const Payment = z
  .object({
    id: z.string(),
    provider_id: z.string().nullable(),
    status: z.enum(["processing", "succeeded", "failed"]),
    amount_usd: z.string(),
    refunded_usd: z.string(),
    created_at: z.string(),
    settled_at: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "BillingInvoicePayment" });

/** An invoice with everything that it is made of. */
export const InvoiceForm = InvoiceSummary.extend({
  lines: z.array(InvoiceLine),
  coupon_uses: z.array(CouponUse),
  credit_entries: z.array(CreditEntry),
  payments: z.array(Payment),
}).meta({ id: "BillingInvoiceDetails" });
export type InvoiceForm = z.output<typeof InvoiceForm>;

const usd = (cents: number): string => formatUsd(BigInt(cents));
const moment = (at: number | null): string | null => (at === null ? null : isoSeconds(at));

/** An invoice as lists show it. Its amounts follow from each other, whatever became of it since. */
export const invoiceSummary = (invoice: Invoice): z.output<typeof InvoiceSummary> => {
  const { subtotal_cents, coupon_cents, tax_cents, credit_cents, returned_cents, carried_cents } = invoice;
  const total = invoiceTotal(invoice);
  const payable = total - credit_cents - carried_cents;
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.state,
    period_start: isoSeconds(invoice.period_start),
    period_end: isoSeconds(invoice.period_end),
    issued_at: moment(invoice.issued_at),
    paid_at: moment(invoice.paid_at),
    subtotal_usd: usd(subtotal_cents),
    coupons_usd: usd(coupon_cents),
    tax_usd: usd(tax_cents),
    returned_usd: usd(returned_cents),
    total_usd: usd(total),
    credit_usd: usd(credit_cents),
    carried_cents,
    payable_usd: usd(payable),
    amount_due_usd: usd(isUnpaid(invoice) ? payable : 0),
    note: invoice.note,
  };
};

/** An invoice as it is shown alone. */
export const invoiceForm = ({ invoice, lines, coupons, credits, payments }: InvoiceDetails): InvoiceForm => ({
  ...invoiceSummary(invoice),
  lines: lines.map(lineForm),
  coupon_uses: coupons.map(({ cents, ...coupon }) => ({ ...coupon, amount_usd: usd(cents) })),
  credit_entries: credits.map(({ cents, ...credit }) => ({ ...credit, amount_usd: usd(cents), at: moment(invoice.issued_at) })),
  payments: payments.map((payment) => paymentForm(invoice, payment)),
});

const lineForm = (line: DetailedLine): z.output<typeof InvoiceLine> => ({
  product: line.product,
  plan_key: line.plan_key,
  description: line.description,
  usage_type: line.usage_type,
  quantity: line.quantity,
  unit: line.unit,
  amount_usd: usd(line.cents),
  late_of: moment(line.late_of),
  carried_from: moment(line.carried_from),
});

type Attempt = InvoiceDetails["payments"][number];

/** An attempt that has not been answered yet is on its way, too. */
const paymentForm = ({ id }: Pick<Invoice, "id">, attempt: Attempt): z.output<typeof Payment> => ({
  id: `${id}_${attempt.number}`,
  provider_id: attempt.intent_id,
  status: attempt.state === "begun" ? "processing" : attempt.state,
  amount_usd: usd(attempt.cents),
  refunded_usd: usd(attempt.refunded_cents),
  created_at: isoSeconds(attempt.created_at),
  settled_at: moment(attempt.settled_at),
  error: attempt.error,
});
