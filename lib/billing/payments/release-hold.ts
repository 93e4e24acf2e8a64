import { get } from "../../table/store.ts";
import type { ClosingParts } from "../invoices/close-invoice.ts";
import { type PaymentAuthorization, PaymentAuthorizations } from "../payments.ts";
import { replacing } from "../replacing.ts";
import { runCommand } from "../run-command.ts";
import type { PaymentProvider } from "./payment-provider.ts";

/** Gives back what an authorization holds of somebody's money, and writes down that it was. Throws where the provider does not answer. */
export const releaseHold = async (
  parts: Pick<ClosingParts, "table" | "clock">,
  provider: Pick<PaymentProvider, "release">,
  key: Pick<PaymentAuthorization, "organization_id" | "id">,
): Promise<void> => {
  await provider.release(key.id);
  await runCommand(parts, { organization: key.organization_id, operation: "release", key: undefined, body: null }, async () => {
    const held = await get(parts.table, PaymentAuthorizations, key, { consistent: true });
    if (held === undefined || held.held_since === null) return { writes: [], answer: null };
    return { writes: [replacing(PaymentAuthorizations, { ...held, held_since: null })], answer: null };
  });
};
