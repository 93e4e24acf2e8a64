import * as z from "zod";
import { DAY_MS } from "../core/time.ts";
import type { Table, Write } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, list } from "../table/store.ts";
import { nextVersion } from "../table/versions.ts";
import { type BillingParts, runCommand } from "./commands.ts";
import { BillingAccounts, withStatus } from "./customer/account.ts";
import { CouponClaims, giveUseBack } from "./customer/coupon-claim.ts";
import { type CreditEntry, CreditGrants, entryWrite, giveBack, refundedOf } from "./customer/credit-grant.ts";
import { endProducts, runningItems, Subscriptions } from "./customer/subscription.ts";
import { readCustomerState } from "./customer.ts";
import { invoiceNotice } from "./notices.ts";
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
type Use = z.output<typeof Use>;

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
  /** Whether it was opened when nothing was held any more, for what comes late. */
  is_last: z.boolean().default(false),
  issued_at: z.int().nullable(),
  paid_at: z.int().nullable(),
  /** How often it could not be collected. */
  attempts: z.int().min(0).default(0),
  /**
   * How many of its coupons are written to their claims, while it is being made; how many of its coupons, and then of its credits, were
   * given back, once it is voided.
   */
  uses_done: z.int().min(0).optional(),
  /** How often in a row, and why the last time, the step that was due failed; absent where it did not. */
  failures: z.int().min(0).optional(),
  failure: z.string().optional(),
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
  issued: { pay: "paid", fail: "payment_failed", retry: "issued", expire: "overdue", void: "voided" },
  payment_failed: { pay: "paid", retry: "issued", expire: "overdue" },
  overdue: { pay: "paid", write_off: "uncollectible", void: "voided" },
  uncollectible: { pay: "paid", void: "voided" },
  paid: {},
  voided: {},
};

/** An issued invoice that nobody has paid is overdue so long after. */
export const PAYABLE_MS = 14 * DAY_MS;

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
export const stepInvoice = async (parts: BillingParts, key: InvoiceKey, step: InvoiceStep): Promise<boolean> => {
  const isTaken = await runCommand(
    parts,
    { organization: key.organization_id, operation: "step", key: undefined, body: null },
    async () => {
      const writes = await invoiceWrites(parts, key, step);
      return { writes: writes ?? [], answer: writes !== undefined };
    },
  );
  if (isTaken && step === "void") await returnUses(parts, key);
  return isTaken;
};

/** The writes of a step, with what follows from it; undefined where the invoice's state does not have that step. */
export const invoiceWrites = async (parts: BillingParts, key: InvoiceKey, step: InvoiceStep): Promise<readonly Write[] | undefined> => {
  const now = parts.clock.now();
  const invoice = await get(parts.table, Invoices, key, { consistent: true });
  const isEarly = step === "expire" && invoice !== undefined && overdueAt(invoice) > now;
  const next = invoice === undefined || isEarly ? undefined : nextInvoice(invoice, step, now);
  if (next === undefined) return undefined;
  // That it is tried again is no news.
  const told = step === "retry" ? [] : invoiceNotice(parts, next);
  return [...(await stepWrites(parts, next)), ...told];
};

/** The invoice after a step, and what follows from it. */
const stepWrites = async (parts: BillingParts, next: Invoice): Promise<readonly Write[]> => {
  switch (next.state) {
    case "voided":
      return returning(parts, { ...next, uses_done: 0 });
    case "uncollectible":
      return [nextVersion(Invoices, next), ...(await endSubscription(parts, next))];
    default:
      return [nextVersion(Invoices, next)];
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

/** Gives back what is left of a voided invoice's uses, as many at a time as a transaction takes; one that was cut off is gone on with. */
export const returnUses = async (parts: BillingParts, key: InvoiceKey): Promise<void> => {
  let isLeft = true;
  while (isLeft) {
    isLeft = await runCommand(
      parts,
      { organization: key.organization_id, operation: "return-uses", key: undefined, body: null },
      async () => {
        const invoice = await get(parts.table, Invoices, key, { consistent: true });
        if (invoice?.state !== "voided" || invoice.due_at === null) return { writes: [], answer: false };
        return { writes: await returning(parts, invoice), answer: true };
      },
    );
  }
};

/** A grant takes three writes, its own and its entries'; a transaction has room for a hundred. */
const RETURNED_AT_ONCE = 30;

/** A voided invoice with the next of the coupons and the credit that it gives back: credit by entries of its own. It is due until all are. */
const returning = async ({ table, clock, ids }: BillingParts, invoice: Invoice): Promise<readonly Write[]> => {
  const { claims, grants } = await readCustomerState(table, invoice.organization_id);
  const now = clock.now();
  const couponReturn = ({ id, cents }: Use): readonly Write[] => {
    const claim = claims.find(({ slug }) => slug === id);
    return claim === undefined ? [] : [nextVersion(CouponClaims, giveUseBack(claim, BigInt(cents)))];
  };
  const creditReturn = ({ id, cents }: Use): readonly Write[] => {
    const grant = grants.find((each) => each.id === id);
    if (grant === undefined) return [];
    const refunded = Number(refundedOf(grant, BigInt(cents)));
    const entry = (delta_cents: number, reason: CreditEntry["reason"]) =>
      entryWrite(grant, { delta_cents, reason, invoice_id: invoice.id }, ids, now);
    return [
      nextVersion(CreditGrants, giveBack(grant, BigInt(cents))),
      entry(cents, "invoice_voided"),
      ...(refunded === 0 ? [] : [entry(-refunded, "void")]),
    ];
  };
  const uses = [...invoice.coupons.map(couponReturn), ...invoice.credits.map(creditReturn)];
  const from = invoice.uses_done ?? 0;
  const to = Math.min(uses.length, from + RETURNED_AT_ONCE);
  const isDone = to === uses.length;
  const next: Invoice = { ...invoice, uses_done: isDone ? undefined : to, due_at: isDone ? null : now };
  return [nextVersion(Invoices, next), ...uses.slice(from, to).flat()];
};
