import { DAY_MS } from "../../core/time.ts";
import type { Invoice, InvoiceState } from "../invoices.ts";

/** What happens to an invoice that has been made. */
export const INVOICE_STEPS = ["pay", "fail", "retry", "expire", "write_off", "void"] as const;
export type InvoiceStep = (typeof INVOICE_STEPS)[number];

/** The state that a step leads to, by the state that it is taken in; any other step is none. */
const NEXT: Readonly<Record<InvoiceState, Readonly<Partial<Record<InvoiceStep, InvoiceState>>>>> = {
  open: {},
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
export const stepped = (invoice: Invoice, step: InvoiceStep, now: number): Invoice | undefined => {
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
export const isMade = ({ state }: Pick<Invoice, "state">): boolean => state !== "open";
