import * as z from "zod";
import { base62 } from "../keys/credential.ts";
import type { Config } from "../ports/config.ts";
import type { Ports } from "../ports/ports.ts";
import type { Ids } from "../ports/system.ts";
import { get } from "../table/store.ts";
import { type BillingParts, type Command, type CommandOutcome, nextVersion, refused, runCommand } from "./commands.ts";
import { BillingAccounts } from "./customer/account.ts";
import { type CreditGrant, CreditGrants, entryWrite } from "./customer/credit-grant.ts";
import { readCustomerState } from "./customer.ts";
import { type Invoice, type InvoiceKey, Invoices, overdueAt, stepInvoice } from "./invoices.ts";
import {
  authorizationId,
  knowsSecret,
  newAuthorization,
  newAuthorizationId,
  type PaymentAuthorization,
  PaymentAuthorizations,
  resolveAuthorization,
} from "./payments/authorization.ts";
import { type PaymentProvider, type PaymentStatus, type PaymentSubject, STRIPE_MINIMUM_CENTS } from "./payments/payment-provider.ts";

/** Who collects money, and what follows from how it came out. */

type Parts = BillingParts & Pick<Ports, "config">;

/** The deployment's provider: Stripe, or nobody. */
export const openProvider = (config: Config, ids: Pick<Ids, "secret">): PaymentProvider =>
  config.paymentProvider === "stripe" ? openStripe(config) : nobody(config, ids);

/** Stripe's package is large, and loaded only where somebody pays through it. */
const openStripe = (config: Config): PaymentProvider => {
  let opened: Promise<PaymentProvider> | undefined;
  const open = (): Promise<PaymentProvider> => {
    opened ??= import("./payments/stripe.ts").then(({ stripe }) => stripe(config));
    return opened;
  };
  return {
    collects: true,
    minimumCents: STRIPE_MINIMUM_CENTS,
    authorize: async (...given) => (await open()).authorize(...given),
    status: async (...given) => (await open()).status(...given),
    release: async (...given) => (await open()).release(...given),
    charge: async (...given) => (await open()).charge(...given),
    portal: async (...given) => (await open()).portal(...given),
    hear: async (...given) => (await open()).hear(...given),
  };
};

const SECRET_BYTES = 32;

/** Every payment method is authorized at once, and invoices are paid elsewhere. */
const nobody = ({ billingPortalUrl }: Pick<Config, "billingPortalUrl">, ids: Pick<Ids, "secret">): PaymentProvider => ({
  collects: false,
  minimumCents: 0,
  authorize: async (_, id) => ({ id, clientSecret: `${id}_secret_${base62(ids.secret(SECRET_BYTES))}`, customerId: null }),
  status: async () => ({ state: "success", error: null, method: null }),
  release: async () => undefined,
  charge: async () => ({ state: "pending", error: null }),
  portal: async () => billingPortalUrl || null,
  hear: async () => undefined,
});

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

const OUTCOMES: Readonly<Record<string, "success" | "failed">> = {
  "payment_intent.succeeded": "success",
  "payment_intent.payment_failed": "failed",
};

const Subject = z.object({ organization_id: z.guid(), kind: z.enum(["invoice", "grant"]), id: z.string().min(1).max(100) });

/** Settles what a call from outside says of a payment; of anything else it is heard and left. False where the provider did not sign it. */
export const hearOfPayment = async (parts: Parts, body: Uint8Array, signature: string | undefined): Promise<boolean> => {
  const notice = await openProvider(parts.config, parts.ids).hear(body, signature, parts.clock.now());
  if (notice === undefined) return false;
  const subject = Subject.safeParse(Reflect.get(notice.data.object, "metadata"));
  const state = OUTCOMES[notice.type];
  if (subject.success && state !== undefined) await settle(parts, subject.data, { state, error: null });
  return true;
};

/** Writes down how a payment came out, once however often it is heard. What is still pending says nothing. */
export const settle = async (
  parts: BillingParts,
  { organization_id, kind, id }: PaymentSubject,
  { state }: PaymentStatus,
): Promise<void> => {
  if (state === "pending") return;
  if (kind === "invoice") {
    const period_start = Number(id);
    if (Number.isSafeInteger(period_start) && period_start >= 0)
      await stepInvoice(parts, { organization_id, period_start }, state === "success" ? "pay" : "fail");
    return;
  }
  await settleGrant(parts, { organization_id, id }, state === "success" ? "active" : "voided");
};

/** Bought credit is there once it is paid, and never comes where it is not. */
const settleGrant = (parts: BillingParts, key: Pick<CreditGrant, "organization_id" | "id">, state: "active" | "voided"): Promise<null> =>
  runCommand(parts, { organization: key.organization_id, operation: "settle-grant", key: undefined, body: null }, async () => {
    const grant = await get(parts.table, CreditGrants, key, { consistent: true });
    if (grant?.state !== "pending") return { writes: [], answer: null };
    if (state === "voided") return { writes: [nextVersion(CreditGrants, { ...grant, state, due_at: null })], answer: null };
    const released: CreditGrant = { ...grant, state, remaining_cents: grant.cents };
    const entry = entryWrite(grant, { delta_cents: grant.cents, reason: "grant", invoice_id: null }, parts.ids, parts.clock.now());
    return { writes: [nextVersion(CreditGrants, released), entry], answer: null };
  });

/**
 * Looks after an invoice that is to be paid: has it collected, and again some days after each attempt that failed, until it is overdue.
 * An attempt counts once, however often this is cut off and done again.
 */
export const collect = async (parts: Parts, key: InvoiceKey): Promise<void> => {
  const found = await get(parts.table, Invoices, key, { consistent: true });
  if (found === undefined || found.due_at === null || found.state === "open") return;
  if (overdueAt(found) <= parts.clock.now()) {
    await stepInvoice(parts, key, "expire");
    return;
  }
  if (found.state === "payment_failed") await stepInvoice(parts, key, "retry");
  await charge(parts, key);
  await waitForPayment(parts, key);
};

const charge = async (parts: Parts, key: InvoiceKey): Promise<void> => {
  const provider = openProvider(parts.config, parts.ids);
  if (!provider.collects) return;
  const invoice = await get(parts.table, Invoices, key, { consistent: true });
  const { account } = await readCustomerState(parts.table, key.organization_id);
  if (invoice?.state !== "issued" || !account.has_payment_method) return;
  const subject = { organization_id: key.organization_id, kind: "invoice", id: String(key.period_start) } as const;
  await settle(parts, subject, await provider.charge(account, invoice.due_cents, subject, invoice.attempts));
};

/** An invoice that is still unpaid then is paid elsewhere, or heard of later. */
const waitForPayment = (parts: BillingParts, key: InvoiceKey): Promise<null> =>
  runCommand(parts, { organization: key.organization_id, operation: "wait-for-payment", key: undefined, body: null }, async () => {
    const invoice = await get(parts.table, Invoices, key, { consistent: true });
    if (invoice?.state !== "issued") return { writes: [], answer: null };
    const waiting: Invoice = { ...invoice, due_at: overdueAt(invoice) };
    return { writes: invoice.due_at === waiting.due_at ? [] : [nextVersion(Invoices, waiting)], answer: null };
  });
