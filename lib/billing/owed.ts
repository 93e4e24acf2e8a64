import type { Table } from "../ports/table.ts";
import { isUnpaid, overdueAt, readInvoices } from "./invoices.ts";
import { isOverdue, readReceivables } from "./payments/receivable.ts";

/** Something that an organization owes: an invoice, or the price of credit that it bought. */
export interface Owed {
  readonly kind: "invoice" | "credit_purchase";
  /** An invoice's id, or a receivable's. */
  readonly id: string;
  readonly number: string | null;
  /** Whether it is still waited for, could not be collected so far, or should have been paid by now. */
  readonly status: "open" | "payment_failed" | "overdue";
  readonly cents: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly overdue_at: number;
}

/** All that an organization owes at a moment, the oldest first. */
export const readOwed = async (table: Table, organization: string, now: number): Promise<readonly Owed[]> => {
  const [invoices, receivables] = await Promise.all([readInvoices(table, organization), readReceivables(table, organization)]);
  const unpaid = invoices.filter(isUnpaid).map((invoice): Owed => {
    const overdue_at = overdueAt(invoice);
    const open = invoice.state === "payment_failed" ? "payment_failed" : "open";
    const status = invoice.state === "overdue" || overdue_at <= now ? "overdue" : open;
    const since = invoice.issued_at ?? invoice.period_end;
    return { kind: "invoice", id: invoice.id, number: invoice.number, status, cents: invoice.due_cents, since, overdue_at };
  });
  const bought = receivables
    .filter(({ state }) => state === "open")
    .map((receivable): Owed => {
      const status = isOverdue(receivable, now) ? "overdue" : "open";
      const { kind, id, cents, created_at: since, overdue_at } = receivable;
      return { kind, id, number: null, status, cents, since, overdue_at };
    });
  return [...unpaid, ...bought].toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
};
