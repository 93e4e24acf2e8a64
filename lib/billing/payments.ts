import { get } from "../table/store.ts";
import { nextVersion } from "../table/versions.ts";
import { type Command, type CommandOutcome, refused, runCommand } from "./commands.ts";
import { BillingAccounts } from "./customer/account.ts";
import { readCustomerState } from "./customer.ts";
import {
  authorizationId,
  knowsSecret,
  newAuthorization,
  newAuthorizationId,
  type PaymentAuthorization,
  PaymentAuthorizations,
  resolveAuthorization,
} from "./payments/authorization.ts";
import { openProvider } from "./payments/open-provider.ts";
import type { PaymentParts } from "./payments/payment-alarm.ts";
import { settleNotice, settleTakenBack } from "./payments/settle.ts";

/** Who collects money: how somebody lets it, and what it tells by itself. */

export { collect, pursueAttempt } from "./payments/collect.ts";
export { openProvider } from "./payments/open-provider.ts";
export type { PaymentParts } from "./payments/payment-alarm.ts";
export { attemptKey, type PaymentAttempt, PaymentAttempts, readPayments } from "./payments/payment-attempt.ts";
export { isOverdue, type Receivable, readReceivables } from "./payments/receivable.ts";
export { stepReceivable } from "./payments/step-receivable.ts";

type Parts = Pick<PaymentParts, "table" | "clock" | "ids" | "config">;

/** Where an organization sees and pays its invoices; null where there is no such place. `returnUrl` is where it comes back to. */
export const portalUrl = async (parts: Parts, organization: string, returnUrl: string): Promise<string | null> => {
  const { account } = await readCustomerState(parts.table, organization);
  return openProvider(parts.config, parts.ids).portal(account, returnUrl);
};

interface BegunPayment {
  readonly clientSecret: string;
  readonly success: true;
}

/** Begins to authorize a payment method. Answers the secret with which the provider's page goes on. */
export const beginAuthorization = (parts: Parts, command: Command): Promise<BegunPayment> => {
  const own = newAuthorizationId(parts.ids);
  return runCommand(parts, command, async (): Promise<CommandOutcome<BegunPayment>> => {
    const { account } = await readCustomerState(parts.table, command.organization);
    const begun = await openProvider(parts.config, parts.ids).authorize(account, own);
    const authorization = newAuthorization(account.organization_id, begun, parts.clock.now());
    const known =
      begun.customerId === account.provider_customer_id
        ? []
        : [nextVersion(BillingAccounts, { ...account, provider_customer_id: begun.customerId })];
    const answer = { clientSecret: begun.clientSecret, success: true } as const;
    return { writes: [nextVersion(PaymentAuthorizations, authorization), ...known], answer };
  });
};

/** How an authorization stands, and whether money is held for one that was given by this very call. */
interface CheckedAuthorization {
  readonly status: PaymentAuthorization["state"];
  readonly error?: string;
  /** Its id, where this call was the first to hear that it was given. */
  readonly authorized: string | null;
}

/**
 * How the authorization stands of which a client sent the id or the whole secret. One that has been given pays from now on; what was
 * held for it is given back, and `onFault` hears where that failed: then a later closing does it. Throws 400 for one that is unknown.
 */
export const checkAuthorization = async (
  parts: Parts,
  command: Command,
  sent: string,
  onFault: (fault: unknown) => void,
): Promise<Omit<CheckedAuthorization, "authorized">> => {
  const provider = openProvider(parts.config, parts.ids);
  const organization_id = command.organization;
  const { authorized, ...answer } = await runCommand<CheckedAuthorization>(parts, command, async () => {
    const found = await get(parts.table, PaymentAuthorizations, { organization_id, id: authorizationId(sent) }, { consistent: true });
    if (found === undefined || !knowsSecret(found, sent))
      throw refused("authorization_not_found", "There is no such authorization. Begin a new one.");
    const asked = await provider.status(found.id);
    const next = resolveAuthorization(found, asked, parts.clock.now());
    const told = { status: next.state, ...(next.error !== null && { error: next.error }) };
    if (next === found) return { writes: [], answer: { ...told, authorized: null } };
    if (next.state !== "success") return { writes: [nextVersion(PaymentAuthorizations, next)], answer: { ...told, authorized: null } };
    const { account } = await readCustomerState(parts.table, organization_id);
    const paying = { ...account, has_payment_method: true, payment_method_id: asked.method };
    const given = { ...next, held_since: provider.collects ? parts.clock.now() : null };
    const writes = [nextVersion(PaymentAuthorizations, given), nextVersion(BillingAccounts, paying)];
    return { writes, answer: { ...told, authorized: found.id } };
  });
  if (authorized !== null && provider.collects) await releaseHold(parts, { organization_id, id: authorized }, provider).catch(onFault);
  return answer;
};

/** Gives back what an authorization holds of somebody's money, and writes down that it was. Throws where the provider does not answer. */
export const releaseHold = async (
  parts: Parts,
  key: Pick<PaymentAuthorization, "organization_id" | "id">,
  provider = openProvider(parts.config, parts.ids),
): Promise<void> => {
  await provider.release(key.id);
  await runCommand(parts, { organization: key.organization_id, operation: "release", key: undefined, body: null }, async () => {
    const held = await get(parts.table, PaymentAuthorizations, key, { consistent: true });
    if (held === undefined || held.held_since === null) return { writes: [], answer: null };
    return { writes: [nextVersion(PaymentAuthorizations, { ...held, held_since: null })], answer: null };
  });
};

/**
 * Settles what a call from outside says of a payment; of anything else it is heard and left. False where the provider did not sign these
 * bytes. Throws 400 for signed ones that say nothing.
 */
export const hearOfPayment = async (parts: PaymentParts, body: Uint8Array, signature: string | undefined): Promise<boolean> => {
  const provider = openProvider(parts.config, parts.ids);
  const notice = await provider.hear(body, signature, parts.clock.now());
  if (notice === undefined) return false;
  if (notice.kind === "payment") await settleNotice(parts, notice.payment);
  if (notice.kind === "taken back") await settleTakenBack(parts, provider, notice.intent_id);
  return true;
};
