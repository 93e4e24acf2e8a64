import { get } from "../../table/store.ts";
import { readCustomerState } from "../customer-state.ts";
import type { ClosingParts, InvoiceKey } from "../invoices/close-invoice.ts";
import { overdueAt } from "../invoices/invoice-states.ts";
import { stepInvoice } from "../invoices/step-invoice.ts";
import { type Invoice, Invoices } from "../invoices.ts";
import { replacing } from "../replacing.ts";
import { runCommand } from "../run-command.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { settle } from "./settle.ts";

/**
 * Looks after an invoice that is to be paid: has it collected, and again some days after each attempt that failed, until it is overdue.
 * An attempt counts once, however often this is cut off and done again.
 */
export const collect = async (parts: ClosingParts, provider: PaymentProvider, key: InvoiceKey): Promise<void> => {
  const found = await get(parts.table, Invoices, key, { consistent: true });
  if (found === undefined || found.due_at === null || found.state === "open") return;
  if (overdueAt(found) <= parts.clock.now()) {
    await stepInvoice(parts, key, "expire");
    return;
  }
  if (found.state === "payment_failed") await stepInvoice(parts, key, "retry");
  await charge(parts, provider, key);
  await waitForPayment(parts, key);
};

const charge = async (parts: ClosingParts, provider: PaymentProvider, key: InvoiceKey): Promise<void> => {
  if (!provider.collects) return;
  const invoice = await get(parts.table, Invoices, key, { consistent: true });
  const { account } = await readCustomerState(parts.table, key.organization_id);
  if (invoice?.state !== "issued" || !account.has_payment_method) return;
  const subject = { organization_id: key.organization_id, kind: "invoice", id: String(key.period_start) } as const;
  await settle(parts, subject, await provider.charge(account, invoice.due_cents, subject, invoice.attempts));
};

/** What is still to be paid then is paid elsewhere, or heard of later. */
const waitForPayment = (parts: ClosingParts, key: InvoiceKey): Promise<null> =>
  runCommand(parts, { organization: key.organization_id, operation: "wait-for-payment", key: undefined, body: null }, async () => {
    const invoice = await get(parts.table, Invoices, key, { consistent: true });
    if (invoice?.state !== "issued") return { writes: [], answer: null };
    const waiting: Invoice = { ...invoice, due_at: overdueAt(invoice) };
    return { writes: invoice.due_at === waiting.due_at ? [] : [replacing(Invoices, waiting)], answer: null };
  });
