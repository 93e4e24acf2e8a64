import * as z from "zod";
import { DAY_MS, MINUTE_MS } from "../../core/time.ts";
import type { Table } from "../../ports/table.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { list } from "../../table/store.ts";
import { FAILURES, type PaymentReport, SUBJECT_KINDS } from "./payment-provider.ts";

const ATTEMPT_STATES = ["begun", "processing", "succeeded", "failed"] as const;

/**
 * One attempt to collect the amount of an invoice or a receivable. It is written before the provider is called, with everything that the
 * call says, so that whoever finds it later can make the very same call again.
 */
export const PaymentAttempt = z.object({
  organization_id: z.guid(),
  kind: z.enum(SUBJECT_KINDS),
  /** An invoice's period, or a receivable's id. */
  subject_id: z.string(),
  /** Counts from 1 for each subject. */
  number: z.int().min(1),
  cents: z.int().positive(),
  state: z.enum(ATTEMPT_STATES),
  /** The provider's names for the payer and for what is collected from. */
  customer_id: z.string(),
  method_id: z.string(),
  /** The provider's name for the payment; null until it answered. */
  intent_id: z.string().nullable(),
  /** What went wrong last: of which kind, and in words. */
  failure: z.enum(FAILURES).nullable(),
  error: z.string().nullable(),
  /** Milliseconds since 1970. */
  created_at: z.int(),
  settled_at: z.int().nullable(),
  refunded_cents: z.int().min(0),
  disputed_cents: z.int().min(0),
  /** The credit that its amount became, where nothing was owed for it. */
  grant_id: z.string().nullable(),
  /** When the provider is asked about it next; null once it has ended. */
  due_at: z.int().nullable(),
  version: z.int().min(0),
});
export type PaymentAttempt = z.output<typeof PaymentAttempt>;

export const PaymentAttempts = entity({
  name: "billing-payment-attempt",
  version: 1,
  schema: PaymentAttempt,
  key: within("payments", "attempt#{kind}#{subject_id}#{number}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-attempts", sk: "{due_at}#{organization_id}#{kind}#{subject_id}#{number}" } },
});

/** What an attempt is for. */
export type AttemptSubject = Pick<PaymentAttempt, "organization_id" | "kind" | "subject_id">;
export type AttemptKey = Pick<PaymentAttempt, "organization_id" | "kind" | "subject_id" | "number">;

const KeyTexts = PaymentAttempt.pick({ organization_id: true, kind: true, subject_id: true }).extend({ number: z.coerce.number() });

/** A key from the texts that it was stored as. */
export const attemptKey = (texts: unknown): AttemptKey => KeyTexts.parse(texts);

/** The attempts at one subject, the first one first. */
export const readAttempts = async (
  table: Table,
  { organization_id, kind, subject_id }: AttemptSubject,
): Promise<readonly PaymentAttempt[]> =>
  (await list(table, PaymentAttempts, "key", { organization_id, kind, subject_id }, { consistent: true })).toSorted(
    (a, b) => a.number - b.number,
  );

/** All attempts of an organization, the oldest first. */
export const readPayments = async (table: Table, organization_id: string): Promise<readonly PaymentAttempt[]> =>
  (await list(table, PaymentAttempts, "key", { organization_id }, { consistent: true })).toSorted(
    (a, b) => a.created_at - b.created_at || a.number - b.number,
  );

/** Whether the provider may still collect by it. While one is open there is no other of its subject. */
export const isOpen = ({ state }: Pick<PaymentAttempt, "state">): boolean => state === "begun" || state === "processing";

/** So long nobody else makes a call that somebody is about to make: no process lives longer. */
const CALLED_MS = 10 * MINUTE_MS;

/** The attempt after those that were made, which have all ended. Its maker calls at once, and others where that one is cut off. */
export const newAttempt = (
  subject: AttemptSubject,
  made: readonly Pick<PaymentAttempt, "number">[],
  given: Pick<PaymentAttempt, "cents" | "customer_id" | "method_id">,
  now: number,
): PaymentAttempt => ({
  ...subject,
  number: Math.max(0, ...made.map(({ number }) => number)) + 1,
  ...given,
  state: "begun",
  intent_id: null,
  failure: null,
  error: null,
  created_at: now,
  settled_at: null,
  refunded_cents: 0,
  disputed_cents: 0,
  grant_id: null,
  due_at: now + CALLED_MS,
  version: 0,
});

/** An attempt that its caller is about to make once more; undefined where another one may be making it now. */
export const claimedAttempt = (attempt: PaymentAttempt, now: number): PaymentAttempt | undefined => {
  const isCalled = attempt.failure === null && attempt.due_at !== null && attempt.due_at > now;
  return isCalled ? undefined : { ...attempt, failure: null, error: null, due_at: now + CALLED_MS };
};

/** A little less than the hour between two runs of the schedule, so that each run asks again. */
const ASKED_AGAIN_MS = 50 * MINUTE_MS;

/** What has to be repaired here is not asked for each hour. */
const REPAIRED_AFTER_MS = DAY_MS;

/**
 * An attempt after what its provider says of it; the very same where that is nothing new. One that succeeded stays so whatever comes
 * later, one that failed may still succeed.
 */
export const afterReport = (attempt: PaymentAttempt, report: PaymentReport, now: number): PaymentAttempt => {
  const { failure, error } = report;
  const intent_id = report.intent_id ?? attempt.intent_id;
  if (attempt.state === "succeeded") return attempt;
  if (report.state === "succeeded")
    return { ...attempt, state: "succeeded", intent_id, failure: null, error: null, settled_at: now, due_at: null };
  if (!isOpen(attempt)) return attempt;
  switch (report.state) {
    case "failed":
      return { ...attempt, state: "failed", intent_id, failure, error, settled_at: now, due_at: null };
    case "processing":
      return { ...attempt, state: "processing", intent_id, failure: null, error: null, due_at: now + ASKED_AGAIN_MS };
    case "unknown":
      return { ...attempt, failure, error, due_at: now + (failure === "ours" ? REPAIRED_AFTER_MS : ASKED_AGAIN_MS) };
  }
};
