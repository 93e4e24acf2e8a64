import * as z from "zod";
import { DAY_MS } from "../core/time.ts";
import type { Table, Write } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, list } from "../table/store.ts";
import { type BillingParts, nextVersion, runCommand } from "./commands.ts";
import { BillingAccounts, withStatus } from "./customer/account.ts";
import { CreditGrants, entryWrite, giveBack } from "./customer/credit-grant.ts";
import { endProducts, runningItems, Subscriptions } from "./customer/subscription.ts";
import { readCustomerState } from "./customer.ts";
import { PlanDays } from "./rating/plan-days.ts";

export const INVOICE_STATES = ["open", "finalizing", "issued", "payment_failed", "overdue", "paid", "uncollectible", "voided"] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

/** The cost of one product or addon in the invoice's period, or of late usage of an earlier one. */
const InvoiceLine = z.object({
  product: z.string(),
  plan_key: z.string(),
  description: z.string(),
  usage_type: z.string().nullable(),
  /** Both are below zero where a later count took something back. */
  quantity: z.int(),
  cents: z.int(),
  /** The last day (since 1970) whose use counts, for a product that ended in the period. */
  last_day: z.int().nullable().default(null),
  /** Start of the period whose late usage this is; null for the invoice's own. */
  late_of: z.int().nullable().default(null),
  /** Start of the period whose invoice came to too little to be collected, and is collected with this one; null for any other line. */
  carried_from: z.int().nullable().default(null),
});
export type InvoiceLine = z.output<typeof InvoiceLine>;

/** The cents of a coupon or a grant that an invoice used. */
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
  /** What each product ran on in the period, day by day; written when it is made. */
  days: z.array(PlanDays).max(40_000).default([]),
  lines: z.array(InvoiceLine).max(5_000),
  coupons: z.array(Use).max(1_000),
  credits: z.array(Use).max(5_000),
  /** Below zero where more was taken back than was used. */
  subtotal_cents: z.int(),
  coupon_cents: z.int().min(0),
  tax_cents: z.int().min(0),
  credit_cents: z.int().min(0),
  due_cents: z.int().min(0),
  /** What was due and too little to be collected: a line of the next invoice. */
  carried_cents: z.int().min(0).default(0),
  /** What was taken back beyond all that was used, given as credit. */
  returned_cents: z.int().min(0).default(0),
  /** Why nobody is asked to pay it, where that is so. */
  note: z.string().nullable().default(null),
  issued_at: z.int().nullable(),
  paid_at: z.int().nullable(),
  /** How often it could not be collected. */
  attempts: z.int().min(0).default(0),
  /** When the next step is due that no caller takes, milliseconds since 1970; null when none is. */
  due_at: z.int().nullable(),
  version: z.int().min(0),
});
export type Invoice = z.output<typeof Invoice>;

/** Which invoice of which organization. */
export type InvoiceKey = Pick<Invoice, "organization_id" | "period_start">;

export const Invoices = entity({
  name: "billing-invoice",
  version: 1,
  schema: Invoice,
  key: within("invoices", "{period_start}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-invoices", sk: "{due_at}#{organization_id}#{period_start}" } },
});

/** An organization's invoices, the newest first: twelve a year. */
export const readInvoices = (table: Table, organization_id: string): Promise<readonly Invoice[]> =>
  list(table, Invoices, "key", { organization_id }, { descending: true, consistent: true });

/** The steps of an invoice that has been made. */
export const INVOICE_STEPS = ["pay", "fail", "retry", "expire", "write_off", "void"] as const;
export type InvoiceStep = (typeof INVOICE_STEPS)[number];

/** The state that a step leads to, by the state that it is taken in; any other step is none. */
const NEXT: Readonly<Record<InvoiceState, Readonly<Partial<Record<InvoiceStep, InvoiceState>>>>> = {
  open: {},
  finalizing: {},
  issued: { pay: "paid", fail: "payment_failed", expire: "overdue", void: "voided" },
  payment_failed: { pay: "paid", retry: "issued", expire: "overdue" },
  overdue: { pay: "paid", write_off: "uncollectible", void: "voided" },
  uncollectible: { void: "voided" },
  paid: {},
  voided: {},
};

/** An issued invoice that nobody has paid is overdue so long after. */
const PAYABLE_MS = 14 * DAY_MS;

/** When an invoice that is still unpaid is overdue. */
export const overdueAt = ({ issued_at }: Pick<Invoice, "issued_at">): number => (issued_at ?? 0) + PAYABLE_MS;

/** How long after each attempt that failed the next one is made; after the last there is none. */
const NEXT_ATTEMPT_MS = [1 * DAY_MS, 3 * DAY_MS, 5 * DAY_MS];

/** The invoice after a step; undefined where its state does not have that step. Only its state changes, never what it says. */
export const nextInvoice = (invoice: Invoice, step: InvoiceStep, now: number): Invoice | undefined => {
  const state = NEXT[invoice.state][step];
  if (state === undefined) return undefined;
  const paid_at = state === "paid" ? now : invoice.paid_at;
  switch (state) {
    case "payment_failed":
      return { ...invoice, state, paid_at, attempts: invoice.attempts + 1, due_at: nextAttempt(invoice, now) };
    case "issued":
      return { ...invoice, state, paid_at, due_at: now };
    default:
      return { ...invoice, state, paid_at, due_at: null };
  }
};

const nextAttempt = (invoice: Invoice, now: number): number =>
  Math.min(overdueAt(invoice), now + (NEXT_ATTEMPT_MS[invoice.attempts] ?? PAYABLE_MS));

const UNPAID: ReadonlySet<InvoiceState> = new Set(["issued", "payment_failed", "overdue"]);

export const isUnpaid = ({ state }: Pick<Invoice, "state">): boolean => UNPAID.has(state);

/** Whether callers ask for it: what still gathers charges says nothing yet. */
export const isMade = ({ state }: Pick<Invoice, "state">): boolean => state !== "open" && state !== "finalizing";

/** Takes a step of an invoice, once. False where its state does not have that step, because it was taken before or comes too late. */
export const stepInvoice = (parts: BillingParts, key: InvoiceKey, step: InvoiceStep): Promise<boolean> =>
  runCommand(parts, { organization: key.organization_id, operation: "step", key: undefined, body: null }, async () => {
    const now = parts.clock.now();
    const invoice = await get(parts.table, Invoices, key, { consistent: true });
    const isEarly = step === "expire" && invoice !== undefined && overdueAt(invoice) > now;
    const next = invoice === undefined || isEarly ? undefined : nextInvoice(invoice, step, now);
    if (next === undefined) return { writes: [], answer: false };
    return { writes: [nextVersion(Invoices, next), ...(await consequences(parts, next))], answer: true };
  });

/** Further writes that a step requires. */
const consequences = async (parts: BillingParts, invoice: Invoice): Promise<readonly Write[]> => {
  switch (invoice.state) {
    case "voided":
      return returnCredit(parts, invoice);
    case "uncollectible":
      return endSubscription(parts, invoice);
    default:
      return [];
  }
};

/** Who does not pay is sold nothing any more. */
const endSubscription = async ({ table, clock }: BillingParts, { organization_id }: Invoice): Promise<readonly Write[]> => {
  const { account, subscription } = await readCustomerState(table, organization_id);
  const now = clock.now();
  const held = runningItems(subscription, now).map(({ product }) => product);
  if (subscription === undefined || held.length === 0) return [];
  const ended = endProducts(subscription, held, now);
  return [nextVersion(BillingAccounts, withStatus(account, ended, now)), nextVersion(Subscriptions, ended)];
};

/** A voided invoice gives the credit back that paid of it, by entries of its own. */
const returnCredit = async ({ table, clock, ids }: BillingParts, invoice: Invoice): Promise<readonly Write[]> => {
  const { grants } = await readCustomerState(table, invoice.organization_id);
  return invoice.credits.flatMap(({ id, cents }) => {
    const grant = grants.find((each) => each.id === id);
    if (grant === undefined) return [];
    return [
      nextVersion(CreditGrants, giveBack(grant, BigInt(cents))),
      entryWrite(grant, { delta_cents: cents, reason: "invoice_voided", invoice_id: invoice.id }, ids, clock.now()),
    ];
  });
};
