import { type BillingAccount, BillingAccounts } from "./accounts.ts";
import { writtenOffAt } from "./credit/credits.ts";
import { entering, granting } from "./credit/purchase.ts";
import { type CreditGrant, CreditGrants, GRANT_PRIORITY } from "./credits.ts";
import { readCustomerState } from "./customer-state.ts";
import type { ClosingParts } from "./invoices/close-invoice.ts";
import { replacing } from "./replacing.ts";
import { runCommand } from "./run-command.ts";
import { resumed, suspended } from "./subscriptions/suspension.ts";

/** What only the operator of the platform does to a customer. */

/** Suspends an account, or lets it go on. */
export const setSuspension = (parts: ClosingParts, organization: string, to: "suspended" | "resumed"): Promise<BillingAccount["status"]> =>
  runCommand(parts, { organization, operation: to, key: undefined, body: null }, async () => {
    const { account, subscription } = await readCustomerState(parts.table, organization);
    const next = to === "suspended" ? suspended(account) : resumed(account, subscription, parts.clock.now());
    return { writes: next.status === account.status ? [] : [replacing(BillingAccounts, next)], answer: next.status };
  });

/** Gives a customer credit, which is used before what it bought. */
export const giveCredit = (
  parts: ClosingParts,
  organization: string,
  { cents, expires_at }: Pick<CreditGrant, "cents" | "expires_at">,
): Promise<CreditGrant> =>
  runCommand(parts, { organization, operation: "give-credit", key: undefined, body: null }, async () => {
    const now = parts.clock.now();
    const grant: CreditGrant = {
      organization_id: organization,
      id: parts.ids.ulid(),
      source: "manual",
      state: "active",
      cents,
      charge_cents: 0,
      remaining_cents: cents,
      priority: GRANT_PRIORITY.given,
      collection_method: "send_invoice",
      created_at: now,
      effective_at: now,
      expires_at,
      due_at: writtenOffAt({ expires_at }),
      version: 0,
    };
    return { writes: granting(grant, parts.ids, now), answer: grant };
  });

/** Takes back what is left of a grant, or that it is waited for, once. False where there is no such grant, or nothing of it to take. */
export const voidGrant = (parts: ClosingParts, organization: string, id: string): Promise<boolean> =>
  runCommand(parts, { organization, operation: "void-grant", key: undefined, body: null }, async () => {
    const { grants } = await readCustomerState(parts.table, organization);
    const grant = grants.find((each) => each.id === id);
    if (grant?.state !== "active" && grant?.state !== "pending") return { writes: [], answer: false };
    const entry = entering(grant, { delta_cents: -grant.remaining_cents, reason: "void", invoice_id: null }, parts.ids, parts.clock.now());
    const voided: CreditGrant = { ...grant, state: "voided", remaining_cents: 0, due_at: null };
    return { writes: [replacing(CreditGrants, voided), ...(grant.remaining_cents > 0 ? [entry] : [])], answer: true };
  });
