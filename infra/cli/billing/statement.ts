import type { World } from "../../../lib/app/world.ts";
import { currentGrants } from "../../../lib/billing/credit.ts";
import { type CustomerState, readCustomerState } from "../../../lib/billing/customer.ts";
import { type Invoice, isMade, isUnpaid, overdueAt, readInvoices } from "../../../lib/billing/invoices.ts";
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
}

export const readStatement = async (
  { table, clock }: Pick<World, "table" | "clock">,
  { id, name, state }: Statement["organization"],
): Promise<Statement> => {
  const now = clock.now();
  const [{ account, grants }, invoices] = await Promise.all([readCustomerState(table, id), readInvoices(table, id)]);
  const entries = [
    ...invoices.map((invoice) => invoiceEntry(invoice, now)),
    ...currentGrants(grants, now).map((grant) => grantEntry(grant, now)),
  ];
  return { organization: { id, name, state }, account, entries };
};

const invoiceEntry = (invoice: Invoice, now: number): Entry => ({
  id: invoice.number ?? invoice.id,
  what: "invoice",
  state: invoice.state,
  cents: invoice.due_cents,
  since: isMade(invoice) && invoice.issued_at !== null ? invoice.issued_at : invoice.period_start,
  counts: isUnpaid(invoice) ? (invoice.state === "overdue" || overdueAt(invoice) <= now ? "overdue" : "owed") : null,
});

const grantEntry = (grant: CustomerState["grants"][number], now: number): Entry => ({
  id: grant.id,
  what: `credit (${grant.source})`,
  state: grant.state,
  cents: grant.remaining_cents,
  since: grant.created_at,
  counts: grant.state === "active" && grant.effective_at <= now ? "credit" : null,
});

/** Sums of entries: what is overdue is owed, too. */
export const totals = (entries: readonly Entry[]) => {
  const sum = (...kinds: readonly Entry["counts"][]): string =>
    formatUsd(entries.reduce((cents, each) => (kinds.includes(each.counts) ? cents + BigInt(each.cents) : cents), 0n));
  return { owed_usd: sum("owed", "overdue"), overdue_usd: sum("overdue"), credit_usd: sum("credit") };
};

/** An entry as it is printed. */
export const entryForm = ({ id, what, state, cents, since }: Entry) => ({
  id,
  what,
  state,
  usd: formatUsd(BigInt(cents)),
  since: isoSeconds(since),
});
