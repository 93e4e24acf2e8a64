import { get } from "../../table/store.ts";
import { type CreditGrant, CreditGrants } from "../credits.ts";
import type { ClosingParts } from "../invoices/close-invoice.ts";
import { readInvoices } from "../invoices/invoice-list.ts";
import { replacing } from "../replacing.ts";
import { runCommand } from "../run-command.ts";
import { entering } from "./purchase.ts";

/**
 * Writes off what is left of a grant that has expired, by an entry of its own, once. One that nobody paid by then is voided. It waits
 * for the invoices of periods that the grant outlived.
 */
export const expireGrant = (parts: ClosingParts, key: Pick<CreditGrant, "organization_id" | "id">): Promise<null> =>
  runCommand(parts, { organization: key.organization_id, operation: "expire-grant", key: undefined, body: null }, async () => {
    const now = parts.clock.now();
    const [grant, invoices] = await Promise.all([
      get(parts.table, CreditGrants, key, { consistent: true }),
      readInvoices(parts.table, key.organization_id),
    ]);
    const expires_at = grant?.expires_at ?? null;
    if (grant === undefined || grant.due_at === null || expires_at === null || grant.due_at > now) return { writes: [], answer: null };
    if (invoices.some(({ state, period_end }) => state === "open" && period_end <= expires_at)) return { writes: [], answer: null };
    const over: CreditGrant = { ...grant, state: endOf(grant), remaining_cents: 0, due_at: null };
    const entry = entering(grant, { delta_cents: -grant.remaining_cents, reason: "expiry", invoice_id: null }, parts.ids, now);
    return { writes: [replacing(CreditGrants, over), ...(grant.remaining_cents > 0 ? [entry] : [])], answer: null };
  });

const endOf = ({ state }: CreditGrant): CreditGrant["state"] => {
  if (state === "pending") return "voided";
  return state === "active" ? "expired" : state;
};
