import type { Write } from "../../ports/table.ts";
import { get } from "../../table/store.ts";
import { BillingAccounts } from "../accounts.ts";
import { restored } from "../credit/credits.ts";
import { entering } from "../credit/purchase.ts";
import { CreditGrants } from "../credits.ts";
import { readCustomerState } from "../customer-state.ts";
import { type Invoice, Invoices } from "../invoices.ts";
import { replacing } from "../replacing.ts";
import { runCommand } from "../run-command.ts";
import { deactivated, runningItems } from "../subscriptions/subscription.ts";
import { withStatus } from "../subscriptions/suspension.ts";
import { Subscriptions } from "../subscriptions.ts";
import type { ClosingParts, InvoiceKey } from "./close-invoice.ts";
import { type InvoiceStep, overdueAt, stepped } from "./invoice-states.ts";

/** Takes a step of an invoice, once. False where its state does not have that step, because it was taken before or comes too late. */
export const stepInvoice = (parts: ClosingParts, key: InvoiceKey, step: InvoiceStep): Promise<boolean> =>
  runCommand(parts, { organization: key.organization_id, operation: "step", key: undefined, body: null }, async () => {
    const now = parts.clock.now();
    const invoice = await get(parts.table, Invoices, key, { consistent: true });
    const isEarly = step === "expire" && invoice !== undefined && overdueAt(invoice) > now;
    const next = invoice === undefined || isEarly ? undefined : stepped(invoice, step, now);
    if (next === undefined) return { writes: [], answer: false };
    return { writes: [replacing(Invoices, next), ...(await following(parts, next))], answer: true };
  });

/** What a step brings with it. */
const following = async (parts: ClosingParts, invoice: Invoice): Promise<readonly Write[]> => {
  switch (invoice.state) {
    case "voided":
      return givingBack(parts, invoice);
    case "uncollectible":
      return ending(parts, invoice);
    default:
      return [];
  }
};

/** Who does not pay is sold nothing any more. */
const ending = async ({ table, clock }: ClosingParts, { organization_id }: Invoice): Promise<readonly Write[]> => {
  const { account, subscription } = await readCustomerState(table, organization_id);
  const now = clock.now();
  const held = runningItems(subscription, now).map(({ product }) => product);
  if (subscription === undefined || held.length === 0) return [];
  const ended = deactivated(subscription, held, now);
  return [replacing(BillingAccounts, withStatus(account, ended, now)), replacing(Subscriptions, ended)];
};

/** A voided invoice gives the credit back that paid of it, by entries of its own. */
const givingBack = async ({ table, clock, ids }: ClosingParts, invoice: Invoice): Promise<readonly Write[]> => {
  const { grants } = await readCustomerState(table, invoice.organization_id);
  return invoice.credits.flatMap(({ id, cents }) => {
    const grant = grants.find((each) => each.id === id);
    if (grant === undefined) return [];
    return [
      replacing(CreditGrants, restored(grant, BigInt(cents))),
      entering(grant, { delta_cents: cents, reason: "invoice_voided", invoice_id: invoice.id }, ids, clock.now()),
    ];
  });
};
