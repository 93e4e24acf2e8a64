import { Invoices } from "../../entities/billing/invoices.ts";
import { get } from "../../table/store.ts";
import type { ClosingParts, InvoiceKey } from "../invoices/close-invoice.ts";
import { readStanding } from "../standing.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { settle } from "./settle.ts";

/** Has what an invoice says collected, where somebody collects and there is something to collect from; once however often it is asked. */
export const collect = async (parts: ClosingParts, provider: PaymentProvider, key: InvoiceKey): Promise<void> => {
  if (!provider.collects) return;
  const invoice = await get(parts.table, Invoices, key, { consistent: true });
  const { account } = await readStanding(parts.table, key.organization_id);
  if (invoice?.state !== "issued" || !account.has_payment_method) return;
  const subject = { organization_id: key.organization_id, kind: "invoice", id: String(key.period_start) } as const;
  await settle(parts, subject, await provider.charge(account, invoice.due_cents, subject));
};
