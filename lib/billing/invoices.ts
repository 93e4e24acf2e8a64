import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const INVOICE_STATES = ["open", "issued", "payment_failed", "overdue", "paid", "uncollectible", "voided"] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

/** What one product or addon costs in the invoice's period, or what came late of an earlier one. */
const InvoiceLine = z.object({
  product: z.string(),
  plan_key: z.string(),
  description: z.string(),
  usage_type: z.string().nullable(),
  quantity: z.int().min(0),
  cents: z.int().min(0),
  /** The last day (since 1970) whose use counts, for a product that ended in the period. */
  last_day: z.int().nullable().default(null),
  /** Start of the period whose late usage this is; null for the invoice's own. */
  late_of: z.int().nullable().default(null),
});
export type InvoiceLine = z.output<typeof InvoiceLine>;

/** What of a coupon or a grant an invoice used. */
const Use = z.object({ id: z.string(), cents: z.int().min(0) });

/** The bill of one period: one per organization and period. Once it is issued only its state changes. */
export const Invoice = z.object({
  organization_id: z.guid(),
  /** Start of the period, milliseconds since 1970. */
  period_start: z.int(),
  period_end: z.int(),
  id: z.string(),
  number: z.string().nullable(),
  state: z.enum(INVOICE_STATES),
  /** The price list of this period, whatever list comes after. */
  catalogue_id: z.string(),
  lines: z.array(InvoiceLine).max(1_000),
  coupons: z.array(Use).max(1_000),
  credits: z.array(Use).max(100),
  subtotal_cents: z.int().min(0),
  coupon_cents: z.int().min(0),
  tax_cents: z.int().min(0),
  credit_cents: z.int().min(0),
  due_cents: z.int().min(0),
  issued_at: z.int().nullable(),
  paid_at: z.int().nullable(),
  /** How often it could not be collected. */
  attempts: z.int().min(0).default(0),
  /** When the next step is due that no caller takes, milliseconds since 1970; null when none is. */
  due_at: z.int().nullable(),
  version: z.int().min(0),
});
export type Invoice = z.output<typeof Invoice>;

export const Invoices = entity({
  name: "billing-invoice",
  version: 1,
  schema: Invoice,
  key: within("invoices", "{period_start}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-invoices", sk: "{due_at}#{organization_id}#{period_start}" } },
});
