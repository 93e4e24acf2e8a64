import { standardError } from "../../http/errors.ts";
import { get } from "../../table/store.ts";
import { nextVersion } from "../../table/versions.ts";
import { runCommand } from "../commands.ts";
import type { BillingAccount } from "../customer/account.ts";
import { readCustomerState } from "../customer.ts";
import { type InvoiceKey, Invoices, isUnpaid, overdueAt, stepInvoice } from "../invoices.ts";
import { openProvider } from "./open-provider.ts";
import type { PaymentParts } from "./payment-alarm.ts";
import {
  type AttemptKey,
  type AttemptSubject,
  claimedAttempt,
  isOpen,
  newAttempt,
  type PaymentAttempt,
  PaymentAttempts,
  readAttempts,
} from "./payment-attempt.ts";
import type { PaymentProvider, PaymentReport } from "./payment-provider.ts";
import { Receivables } from "./receivable.ts";
import { settleAttempt } from "./settle.ts";

/**
 * Looks after an invoice that is to be paid: has it collected, and again some days after each attempt that was declined, until it is
 * overdue. What an attempt comes to is heard of, or asked for by `pursueAttempt`.
 */
export const collect = async (parts: PaymentParts, key: InvoiceKey): Promise<void> => {
  const found = await get(parts.table, Invoices, key, { consistent: true });
  if (found === undefined || found.due_at === null || (found.state !== "issued" && found.state !== "payment_failed")) return;
  if (overdueAt(found) <= parts.clock.now()) {
    await stepInvoice(parts, key, "expire");
    return;
  }
  if (found.state === "payment_failed") await stepInvoice(parts, key, "retry");
  const begun = await beginCollection(parts, key);
  if (begun !== undefined) throwUnknown(await makeAttempt(parts, begun));
};

/** The attempt that collects an invoice now, where there is to be one; whatever comes of it, the invoice is not looked at before it is overdue. */
const beginCollection = (parts: PaymentParts, key: InvoiceKey): Promise<PaymentAttempt | undefined> =>
  runCommand(parts, { organization: key.organization_id, operation: "begin-payment", key: undefined, body: null }, async () => {
    const [invoice, { account }] = await Promise.all([
      get(parts.table, Invoices, key, { consistent: true }),
      readCustomerState(parts.table, key.organization_id),
    ]);
    if (invoice?.state !== "issued") return { writes: [], answer: undefined };
    const waiting = nextVersion(Invoices, { ...invoice, due_at: overdueAt(invoice) });
    const subject = { organization_id: key.organization_id, kind: "invoice", subject_id: String(key.period_start) } as const;
    const attempts = await readAttempts(parts.table, subject);
    const attempt = attempts.some(isOpen) ? undefined : payableAttempt(parts, account, subject, attempts, invoice.due_cents);
    if (attempt === undefined) return { writes: [waiting], answer: undefined };
    return { writes: [waiting, nextVersion(PaymentAttempts, attempt)], answer: attempt };
  });

/** An attempt at an amount, where somebody collects such an amount and there is something to collect from. */
export const payableAttempt = (
  { config, ids, clock }: PaymentParts,
  { provider_customer_id: customer_id, payment_method_id: method_id, has_payment_method }: BillingAccount,
  subject: AttemptSubject,
  attempts: readonly PaymentAttempt[],
  cents: number,
): PaymentAttempt | undefined => {
  const { collects, minimumCents } = openProvider(config, ids);
  if (!collects || cents < minimumCents || !has_payment_method || customer_id === null || method_id === null) return undefined;
  return newAttempt(subject, attempts, { cents, customer_id, method_id }, clock.now());
};

/** Makes the first call for an attempt that this very process has written. Answers the attempt as it is then. */
export const makeAttempt = async (parts: PaymentParts, attempt: PaymentAttempt): Promise<PaymentAttempt | undefined> =>
  settleAttempt(parts, attempt, await finalReport(openProvider(parts.config, parts.ids), attempt));

/**
 * Goes on with an attempt whose end nobody has heard of: calls for its payment or, where that was answered, asks how it stands. However
 * often its maker was cut off or had no answer, the call is the very same. Answers the attempt as it is then.
 */
export const resumeAttempt = async (parts: PaymentParts, key: AttemptKey): Promise<PaymentAttempt | undefined> => {
  const { found, isClaimed } = await claim(parts, key);
  if (found === undefined || !isClaimed) return found;
  const provider = openProvider(parts.config, parts.ids);
  const report = found.intent_id === null ? await unansweredReport(parts, provider, found) : await provider.retrieve(found.intent_id);
  return settleAttempt(parts, key, report);
};

/** One at a time makes the call of an attempt: of two at once, one might be carried out while the other one is not taken. */
const claim = (parts: PaymentParts, key: AttemptKey) =>
  runCommand(parts, { organization: key.organization_id, operation: "claim-payment", key: undefined, body: null }, async () => {
    const found = await get(parts.table, PaymentAttempts, key, { consistent: true });
    if (found === undefined || !isOpen(found)) return { writes: [], answer: { found, isClaimed: false } };
    if (found.intent_id !== null) return { writes: [], answer: { found, isClaimed: true } };
    const claimed = claimedAttempt(found, parts.clock.now());
    return {
      writes: claimed ? [nextVersion(PaymentAttempts, claimed)] : [],
      answer: { found: claimed ?? found, isClaimed: claimed !== undefined },
    };
  });

/**
 * The report of an attempt without an answer. Nothing is called for that is not owed any more, or that may have been collected by a call
 * that the provider has forgotten.
 */
const unansweredReport = async (parts: PaymentParts, provider: PaymentProvider, attempt: PaymentAttempt): Promise<PaymentReport> => {
  const isOwing = await isOwed(parts, attempt);
  if (isOwing && parts.clock.now() < attempt.created_at + provider.repeatableMs) return doubted(await provider.charge(attempt));
  return (await provider.find(attempt)) ?? (isOwing ? finalReport(provider, attempt) : NOT_OWED);
};

/** The report of a call before which nothing can have been collected. Its client may have made it twice, and only the second was not taken. */
const finalReport = async (provider: PaymentProvider, attempt: PaymentAttempt): Promise<PaymentReport> => {
  const report = await provider.charge(attempt);
  const isRefused = report.state === "failed" && report.failure === "ours";
  return (isRefused ? await provider.find(attempt) : undefined) ?? report;
};

/** While an earlier call may have been carried out, it means nothing for that one that a later one is not taken. */
const doubted = (report: PaymentReport): PaymentReport => (report.failure === "ours" ? { ...report, state: "unknown" } : report);

const NOT_OWED = { state: "failed", intent_id: null, failure: null, error: "It was not owed any more." } as const;

const isOwed = async ({ table }: PaymentParts, { organization_id, kind, subject_id }: AttemptSubject): Promise<boolean> => {
  if (kind === "receivable")
    return (await get(table, Receivables, { organization_id, id: subject_id }, { consistent: true }))?.state === "open";
  const invoice = await get(table, Invoices, { organization_id, period_start: Number(subject_id) }, { consistent: true });
  return invoice !== undefined && isUnpaid(invoice);
};

/** Goes on with an attempt. Throws where the provider says nothing of it, so that somebody hears of that. */
export const pursueAttempt = async (parts: PaymentParts, key: AttemptKey): Promise<void> => throwUnknown(await resumeAttempt(parts, key));

const throwUnknown = (attempt: PaymentAttempt | undefined): void => {
  if (attempt === undefined || !isOpen(attempt) || attempt.failure === null) return;
  const cause = new Error(attempt.error ?? "no reason was given");
  throw standardError(502, "server_error", "billing_service_error", "The payment provider did not answer as it should. Try again.", {
    cause,
  });
};
