import { CreditGrants } from "../../entities/billing/credits.ts";
import { type Invoice, Invoices } from "../../entities/billing/invoices.ts";
import type { Write } from "../../ports/table.ts";
import { get } from "../../table/store.ts";
import { restored } from "../credit/credits.ts";
import { entering } from "../credit/purchase.ts";
import { decide } from "../decide.ts";
import { replacing } from "../replacing.ts";
import { readStanding } from "../standing.ts";
import type { ClosingParts, InvoiceKey } from "./close-invoice.ts";
import { type InvoiceStep, stepped } from "./invoice-states.ts";

/** Takes a step of an invoice, once. False where its state does not have that step, because it was taken before or comes too late. */
export const stepInvoice = (parts: ClosingParts, key: InvoiceKey, step: InvoiceStep): Promise<boolean> =>
  decide(parts, { organization: key.organization_id, operation: "step", key: undefined, body: null }, async () => {
    const now = parts.clock.now();
    const invoice = await get(parts.table, Invoices, key, { consistent: true });
    const isEarly = step === "expire" && (invoice?.due_at ?? 0) > now;
    const next = invoice === undefined || isEarly ? undefined : stepped(invoice, step, now);
    if (next === undefined) return { writes: [], answer: false };
    const back = next.state === "voided" ? await givingBack(parts, next) : [];
    return { writes: [replacing(Invoices, next), ...back], answer: true };
  });

/** A voided invoice gives the credit back that paid of it, by entries of its own. */
const givingBack = async ({ table, clock, ids }: ClosingParts, invoice: Invoice): Promise<readonly Write[]> => {
  const { grants } = await readStanding(table, invoice.organization_id);
  return invoice.credits.flatMap(({ id, cents }) => {
    const grant = grants.find((each) => each.id === id);
    if (grant === undefined) return [];
    return [
      replacing(CreditGrants, restored(grant, BigInt(cents))),
      entering(grant, { delta_cents: cents, reason: "invoice_voided", invoice_id: invoice.id }, ids, clock.now()),
    ];
  });
};
