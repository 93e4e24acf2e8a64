import * as z from "zod";
import type { Write } from "../../ports/table.ts";
import { get } from "../../table/store.ts";
import { nextVersion } from "../../table/versions.ts";
import { type CommandOutcome, runCommand } from "../commands.ts";
import { type CreditGrant, CreditGrants, entryWrite, grantWrites } from "../customer/credit-grant.ts";
import { givenCredit } from "../customer/given-credit.ts";
import { invoiceWrites } from "../invoices.ts";
import { paymentNotice } from "../notices.ts";
import { type PaymentAlarm, type PaymentParts, raise } from "./payment-alarm.ts";
import {
  type AttemptKey,
  type AttemptSubject,
  afterReport,
  newAttempt,
  type PaymentAttempt,
  PaymentAttempts,
  readAttempts,
} from "./payment-attempt.ts";
import { type PaymentProvider, type PaymentReport, type ReportedPayment, SUBJECT_KINDS, type TakenBack } from "./payment-provider.ts";
import { receivableWrites } from "./step-receivable.ts";

/** What follows from what a provider says: of the attempt, of what it is for, and of what somebody has to look at. */

interface Settled {
  readonly attempt: PaymentAttempt | undefined;
  readonly alarm: PaymentAlarm | null;
}

/** Writes down what the provider said of an attempt, once however often it is said. Answers the attempt as it is then. */
export const settleAttempt = (parts: PaymentParts, key: AttemptKey, report: PaymentReport): Promise<PaymentAttempt | undefined> =>
  settling(parts, key, async () => {
    const found = await get(parts.table, PaymentAttempts, key, { consistent: true });
    return found === undefined ? NOTHING : afterward(parts, found, report);
  });

const NOTHING: CommandOutcome<Settled> = { writes: [], answer: { attempt: undefined, alarm: null } };

const settling = async (
  parts: PaymentParts,
  { organization_id }: AttemptSubject,
  build: () => Promise<CommandOutcome<Settled>>,
): Promise<PaymentAttempt | undefined> => {
  const command = { organization: organization_id, operation: "settle-payment", key: undefined, body: null };
  const { attempt, alarm } = await runCommand(parts, command, build);
  if (attempt !== undefined && alarm !== null) await raise(parts, alarm, attempt);
  return attempt;
};

/** The attempt after a report, and everything that it changes, in one transaction. */
const afterward = async (parts: PaymentParts, found: PaymentAttempt, report: PaymentReport): Promise<CommandOutcome<Settled>> => {
  const next = afterReport(found, report, parts.clock.now());
  if (next === found) return { writes: [], answer: { attempt: found, alarm: null } };
  const isOurs = next.failure === "ours";
  if (next.state === "succeeded") {
    const paid = await subjectWrites(parts, next, "pay");
    return paid === undefined ? surplus(parts, next) : settled(parts, next, paid, null);
  }
  // What is ours to repair fails no invoice: it waits.
  const isFailed = next.state === "failed" && (next.kind === "receivable" || !isOurs);
  const failed = isFailed ? ((await subjectWrites(parts, next, "fail")) ?? []) : [];
  return settled(parts, next, failed, isOurs ? "payment_not_taken" : null);
};

const settled = (
  parts: PaymentParts,
  attempt: PaymentAttempt,
  writes: readonly Write[],
  alarm: PaymentAlarm | null,
): CommandOutcome<Settled> => ({
  writes: [nextVersion(PaymentAttempts, attempt), ...writes, ...paymentNotice(parts, attempt)],
  answer: { attempt, alarm },
});

/** What a payment is for, after it came or failed; undefined where that changes nothing of it. */
const subjectWrites = (
  parts: PaymentParts,
  { organization_id, kind, subject_id }: AttemptSubject,
  step: "pay" | "fail",
): Promise<readonly Write[] | undefined> =>
  kind === "invoice"
    ? invoiceWrites(parts, { organization_id, period_start: Number(subject_id) }, step)
    : receivableWrites(parts, { organization_id, id: subject_id }, step);

/** Money that nothing is owed for belongs to who paid it: what was not given back yet becomes credit without an end. */
const surplus = (parts: PaymentParts, attempt: PaymentAttempt): CommandOutcome<Settled> => {
  const { ids, clock } = parts;
  const cents = attempt.cents - attempt.refunded_cents;
  if (cents <= 0) return settled(parts, attempt, [], "payment_surplus");
  const now = clock.now();
  const grant = givenCredit(attempt.organization_id, { source: "refund", cents, expires_at: null }, ids, now);
  return settled(parts, { ...attempt, grant_id: grant.id }, grantWrites(grant, ids, now), "payment_surplus");
};

/** An attempt by the names that travel with its payment. An account at the provider may be others' as well, who name things otherwise. */
const Metadata = z
  .object({
    organization_id: z.guid(),
    kind: z.enum(SUBJECT_KINDS),
    id: z.string().regex(/^[\w-]{1,100}$/),
    attempt: z.coerce.number().int().min(1),
  })
  .refine(({ kind, id }) => kind !== "invoice" || /^\d{1,15}$/.test(id));

interface NamedAttempt {
  readonly subject: AttemptSubject;
  readonly number: number;
}

/** Undefined for what is no payment of ours. */
const namedAttempt = (metadata: unknown): NamedAttempt | undefined => {
  const { data } = Metadata.safeParse(metadata);
  return data && { subject: { organization_id: data.organization_id, kind: data.kind, subject_id: data.id }, number: data.attempt };
};

/** The attempt that a payment belongs to: by the payment's id, or by its own number where its answer was lost. */
const matching = (attempts: readonly PaymentAttempt[], intent: string, number: number): PaymentAttempt | undefined =>
  attempts.find(({ intent_id }) => intent_id === intent) ??
  attempts.find((attempt) => attempt.intent_id === null && attempt.number === number);

/** Settles what the provider tells by itself of a payment. One that came and belongs to no attempt that is known is one more. */
export const settleNotice = async (parts: PaymentParts, payment: ReportedPayment): Promise<void> => {
  const named = namedAttempt(payment.metadata);
  if (named === undefined) return;
  const { subject, number } = named;
  await settling(parts, subject, async () => {
    const attempts = await readAttempts(parts.table, subject);
    const found = matching(attempts, payment.intent_id, number);
    if (found !== undefined) return afterward(parts, found, payment);
    if (payment.state !== "succeeded" || payment.cents === 0) return NOTHING;
    const unknown = newAttempt(subject, attempts, { cents: payment.cents, customer_id: "", method_id: "" }, parts.clock.now());
    return afterward(parts, unknown, payment);
  });
};

/**
 * Writes down what was taken back of a payment. Notices of it come in any order, so the provider is asked each time, after the attempt
 * was read: what is written down is never older than what was.
 */
export const settleTakenBack = async (parts: PaymentParts, provider: Pick<PaymentProvider, "takenBack">, intent: string): Promise<void> => {
  const named = namedAttempt((await provider.takenBack(intent)).metadata);
  if (named === undefined) return;
  const { subject, number } = named;
  await settling(parts, subject, async () => {
    const found = matching(await readAttempts(parts.table, subject), intent, number);
    if (found === undefined) return NOTHING;
    return afterTakenBack(parts, found, await provider.takenBack(intent));
  });
};

const afterTakenBack = async (
  parts: PaymentParts,
  found: PaymentAttempt,
  { refunded_cents, disputed_cents }: TakenBack,
): Promise<CommandOutcome<Settled>> => {
  const refunded = refunded_cents - found.refunded_cents;
  const disputed = disputed_cents - found.disputed_cents;
  if (refunded === 0 && disputed === 0) return { writes: [], answer: { attempt: found, alarm: null } };
  const next = { ...found, refunded_cents, disputed_cents };
  const credit = refunded > 0 && found.grant_id !== null ? await creditWrites(parts, next, refunded) : [];
  const alarm = disputed > 0 ? "payment_disputed" : refunded < 0 ? "payment_refund_undone" : null;
  return settled(parts, next, credit, alarm);
};

/** Money that became credit and is given back is no credit any more: at once as far as that is left, the rest when it comes back. */
const creditWrites = async (
  { table, ids, clock }: PaymentParts,
  { organization_id, grant_id, ...attempt }: PaymentAttempt,
  cents: number,
): Promise<readonly Write[]> => {
  const grant = grant_id === null ? undefined : await get(table, CreditGrants, { organization_id, id: grant_id }, { consistent: true });
  if (grant === undefined || !REFUNDABLE.has(grant.state)) return [];
  const taken = Math.min(cents, grant.remaining_cents);
  const remaining_cents = grant.remaining_cents - taken;
  const refunded_use_cents = grant.refunded_use_cents + cents - taken;
  const ended = attempt.refunded_cents >= attempt.cents ? "voided" : "depleted";
  const state = remaining_cents > 0 ? grant.state : ended;
  return [
    nextVersion(CreditGrants, { ...grant, remaining_cents, refunded_use_cents, state }),
    ...(taken === 0 ? [] : [entryWrite(grant, { delta_cents: -taken, reason: "void", invoice_id: null }, ids, clock.now())]),
  ];
};

const REFUNDABLE: ReadonlySet<CreditGrant["state"]> = new Set(["active", "depleted"]);
