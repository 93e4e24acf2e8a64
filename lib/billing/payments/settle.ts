import { get } from "../../table/store.ts";
import { entering } from "../credit/purchase.ts";
import { type CreditGrant, CreditGrants } from "../credits.ts";
import type { ClosingParts } from "../invoices/close-invoice.ts";
import { INVOICE_STEPS } from "../invoices/invoice-states.ts";
import { stepInvoice } from "../invoices/step-invoice.ts";
import { replacing } from "../replacing.ts";
import { runCommand } from "../run-command.ts";
import type { PaymentStatus, PaymentSubject } from "./payment-provider.ts";

const [PAY, FAIL] = INVOICE_STEPS;

/** Writes down how a payment came out, once however often it is heard. What is still pending says nothing. */
export const settle = async (
  parts: ClosingParts,
  { organization_id, kind, id }: PaymentSubject,
  { state }: PaymentStatus,
): Promise<void> => {
  if (state === "pending") return;
  if (kind === "invoice") {
    const period_start = Number(id);
    if (Number.isSafeInteger(period_start) && period_start >= 0)
      await stepInvoice(parts, { organization_id, period_start }, state === "success" ? PAY : FAIL);
    return;
  }
  await settleGrant(parts, { organization_id, id }, state === "success" ? "active" : "voided");
};

/** Bought credit is there once it is paid, and never comes where it is not. */
const settleGrant = (parts: ClosingParts, key: Pick<CreditGrant, "organization_id" | "id">, state: "active" | "voided"): Promise<null> =>
  runCommand(parts, { organization: key.organization_id, operation: "settle-grant", key: undefined, body: null }, async () => {
    const grant = await get(parts.table, CreditGrants, key, { consistent: true });
    if (grant?.state !== "pending") return { writes: [], answer: null };
    if (state === "voided") return { writes: [replacing(CreditGrants, { ...grant, state, due_at: null })], answer: null };
    const released: CreditGrant = { ...grant, state, remaining_cents: grant.cents };
    const entry = entering(grant, { delta_cents: grant.cents, reason: "grant", invoice_id: null }, parts.ids, parts.clock.now());
    return { writes: [replacing(CreditGrants, released), entry], answer: null };
  });
