import type { World } from "../../../lib/app/world.ts";
import { currentGrants } from "../../../lib/billing/credit.ts";
import { type CustomerState, readCustomerState } from "../../../lib/billing/customer.ts";
import { type Invoice, isMade, isUnpaid, overdueAt, readInvoices } from "../../../lib/billing/invoices.ts";
import { isOverdue, type PaymentAttempt, type Receivable, readPayments, readReceivables } from "../../../lib/billing/payments.ts";
import { formatUsd } from "../../../lib/core/money.ts";
import { isoSeconds } from "../../../lib/core/time.ts";
import type { Organization } from "../../../lib/organizations/organizations.ts";

/** The account of one organization as an operator reads it: what it owes, what it has of credit, and what it waits for. */
export interface Statement {
  readonly organization: Pick<Organization, "id" | "name" | "state">;
  readonly account: CustomerState["account"];
  readonly entries: readonly Entry[];
}

/** One line of a statement. */
export interface Entry {
  /** By which the other commands take it. */
  readonly id: string;
  readonly what: string;
  readonly state: string;
  readonly cents: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Whether it is owed, only by then overdue, or is credit that can be used. */
  readonly counts: "owed" | "overdue" | "credit" | null;
  /** Why it stands as it does, where somebody said so. */
  readonly note: string | null;
}

export const readStatement = async (
  { table, clock }: Pick<World, "table" | "clock">,
  { id, name, state }: Statement["organization"],
): Promise<Statement> => {
  const now = clock.now();
  const [{ account, grants }, invoices, receivables, payments] = await Promise.all([
    readCustomerState(table, id),
    readInvoices(table, id),
    readReceivables(table, id),
    readPayments(table, id),
  ]);
  const numbers = new Map(invoices.map((invoice) => [String(invoice.period_start), invoiceName(invoice)]));
  const entries = [
    ...invoices.map((invoice) => invoiceEntry(invoice, now)),
    ...receivables.map((receivable) => receivableEntry(receivable, now)),
    ...payments.map((attempt) => paymentEntry(attempt, numbers.get(attempt.subject_id) ?? attempt.subject_id)),
    ...currentGrants(grants, now).map((grant) => grantEntry(grant, now)),
  ];
  return { organization: { id, name, state }, account, entries };
};

const invoiceName = ({ id, number }: Invoice): string => number ?? id;

const invoiceEntry = (invoice: Invoice, now: number): Entry => ({
  id: invoiceName(invoice),
  what: "invoice",
  state: invoice.state,
  cents: invoice.due_cents,
  since: isMade(invoice) && invoice.issued_at !== null ? invoice.issued_at : invoice.period_start,
  counts: isUnpaid(invoice) ? (invoice.state === "overdue" || overdueAt(invoice) <= now ? "overdue" : "owed") : null,
  note: invoice.note,
});

const receivableEntry = (receivable: Receivable, now: number): Entry => ({
  id: receivable.id,
  what: `owed for credit ${receivable.grant_id}`,
  state: receivable.state,
  cents: receivable.cents,
  since: receivable.created_at,
  counts: receivable.state !== "open" ? null : isOverdue(receivable, now) ? "overdue" : "owed",
  note: null,
});

/** An attempt to collect. What it collected is no longer owed, so it counts for nothing by itself. */
const paymentEntry = (attempt: PaymentAttempt, subject: string): Entry => ({
  id: attempt.intent_id ?? `${subject}#${attempt.number}`,
  what: `payment ${attempt.number} of ${subject}`,
  state: attempt.disputed_cents > 0 ? "disputed" : attempt.refunded_cents > 0 ? "refunded" : attempt.state,
  cents: attempt.cents,
  since: attempt.created_at,
  counts: null,
  note: attempt.grant_id === null ? attempt.error : `became credit ${attempt.grant_id}`,
});

const grantEntry = (grant: CustomerState["grants"][number], now: number): Entry => ({
  id: grant.id,
  what: `credit (${grant.source})`,
  state: grant.state,
  cents: grant.remaining_cents,
  since: grant.created_at,
  counts: grant.state === "active" && grant.effective_at <= now ? "credit" : null,
  note: null,
});

/** Sums of entries: what is overdue is owed, too. */
export const totals = (entries: readonly Entry[]) => {
  const sum = (...kinds: readonly Entry["counts"][]): string =>
    formatUsd(entries.reduce((cents, each) => (kinds.includes(each.counts) ? cents + BigInt(each.cents) : cents), 0n));
  return { owed_usd: sum("owed", "overdue"), overdue_usd: sum("overdue"), credit_usd: sum("credit") };
};

/** An entry as it is printed. */
export const entryForm = ({ id, what, state, cents, since, note }: Entry) => ({
  id,
  what,
  state,
  usd: formatUsd(BigInt(cents)),
  since: isoSeconds(since),
  note: note ?? "",
});
