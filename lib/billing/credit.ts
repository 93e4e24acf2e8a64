import { halfEven } from "../core/bigints.ts";
import { yearAfter } from "../core/relative-dates.ts";
import { DAY_MS } from "../core/time.ts";
import { standardError } from "../http/errors.ts";
import type { Ids } from "../ports/system.ts";
import type { Write } from "../ports/table.ts";
import { get } from "../table/store.ts";
import { nextVersion } from "../table/versions.ts";
import { type BillingParts, type Command, refused, runCommand } from "./commands.ts";
import {
  type CreditGrant,
  CreditGrants,
  creditBalance,
  entryWrite,
  GRANT_PRIORITY,
  grantState,
  grantWrites,
  writtenOffAt,
} from "./customer/credit-grant.ts";
import { givenCredit } from "./customer/given-credit.ts";
import { readCustomerState } from "./customer.ts";
import { isMade, readInvoices } from "./invoices.ts";
import { outlookOverview } from "./overview/overview.ts";
import { type ReadOutlook, readOutlook } from "./overview.ts";
import { makeAttempt, payableAttempt, resumeAttempt } from "./payments/collect.ts";
import { openProvider } from "./payments/open-provider.ts";
import type { PaymentParts } from "./payments/payment-alarm.ts";
import { type PaymentAttempt, PaymentAttempts } from "./payments/payment-attempt.ts";
import { checkPaymentMethod } from "./payments/payment-provider.ts";
import { newReceivable, Receivables, receivableId } from "./payments/receivable.ts";
import { receivableWrites, takeBackGrant } from "./payments/step-receivable.ts";

/** Discounts on a year's credit, by its dollars before the discount. */
export const CREDIT_BRACKETS = [
  { discount: 0.1, annual_credit_from_inclusive: 3_333, annual_credit_to_exclusive: 25_000 },
  { discount: 0.2, annual_credit_from_inclusive: 25_000, annual_credit_to_exclusive: 80_000 },
  { discount: 0.25, annual_credit_from_inclusive: 80_000, annual_credit_to_exclusive: 153_847 },
  { discount: 0.35, annual_credit_from_inclusive: 153_847, annual_credit_to_exclusive: null },
] as const;

/** Credit that is bought for a year; the amount is what is paid for it. */
export interface CreditOrder {
  readonly annual_amount_usd: number;
  /** 0 to 100. */
  readonly discount_percent: number;
  readonly collection_method: CreditGrant["collection_method"];
}

/** Millionths of the whole in a per cent. */
const PER_CENT = 10_000;
const WHOLE = 1_000_000;

/** The cents of credit that an order buys: its amount as it was before the discount, which must be the very one for so much. */
const grossCents = ({ annual_amount_usd, discount_percent }: CreditOrder): bigint => {
  const discount = discount_percent * PER_CENT;
  const cents = discount < WHOLE ? halfEven(BigInt(annual_amount_usd * 100) * BigInt(WHOLE), BigInt(WHOLE - Math.round(discount))) : 0n;
  const bracket = CREDIT_BRACKETS.findLast(({ annual_credit_from_inclusive }) => cents >= BigInt(annual_credit_from_inclusive * 100));
  const isRight = Math.abs(discount - (bracket?.discount ?? 0) * WHOLE) < FLOATS;
  if (cents === 0n || !isRight || cents > BigInt(Number.MAX_SAFE_INTEGER)) throw refused("invalid_discount", INVALID_DISCOUNT);
  return cents;
};

/** What the arithmetic of doubles may be off by, in millionths. */
const FLOATS = 1e-6;

const INVALID_DISCOUNT = "This is not the discount for so much credit. The credits overview lists which holds from which amount on.";

/** A grant for an order. It is there at once where nobody collects for it; what has to be paid waits for its payment. */
const newPurchase = (
  organization_id: string,
  order: CreditOrder,
  { collects }: { readonly collects: boolean },
  ids: Ids,
  now: number,
): CreditGrant => {
  const cents = Number(grossCents(order));
  const expires_at = yearAfter(now);
  const isPaid = order.collection_method === "charge_automatically" && !collects;
  return {
    organization_id,
    id: ids.ulid(),
    source: "purchase",
    state: isPaid ? "active" : "pending",
    cents,
    charge_cents: order.annual_amount_usd * 100,
    remaining_cents: isPaid ? cents : 0,
    refunded_use_cents: 0,
    priority: GRANT_PRIORITY.bought,
    collection_method: order.collection_method,
    created_at: now,
    effective_at: now,
    expires_at,
    due_at: writtenOffAt({ expires_at }),
    version: 0,
  };
};

/**
 * Buys credit for a year. Its price is owed from then on; it is collected at once where the order says so and somebody collects. Answers
 * whether the credit is there: it waits for its payment, unless nobody collects what the order wants collected. Throws 400 for a
 * discount that is not the one for so much, without a payment method, and where the payment is declined, after which nothing is owed.
 */
export const buyCredit = async (parts: PaymentParts, command: Command, order: CreditOrder): Promise<"active" | "pending"> => {
  const provider = openProvider(parts.config, parts.ids);
  let written: PaymentAttempt | undefined;
  const bought = await runCommand(parts, command, async () => {
    const { account } = await readCustomerState(parts.table, command.organization);
    if (order.collection_method === "charge_automatically") checkPaymentMethod(provider, account);
    const now = parts.clock.now();
    const grant = newPurchase(account.organization_id, order, provider, parts.ids, now);
    const subject = { organization_id: grant.organization_id, kind: "receivable", subject_id: receivableId(grant) } as const;
    const isCollected = order.collection_method === "charge_automatically";
    const attempt = isCollected ? payableAttempt(parts, account, subject, [], grant.charge_cents) : undefined;
    written = attempt;
    const writes = [
      ...grantWrites(grant, parts.ids, now),
      nextVersion(Receivables, newReceivable(grant, now)),
      ...(attempt === undefined ? [] : [nextVersion(PaymentAttempts, attempt)]),
    ];
    return { writes, answer: { state: grant.state, attempt: attempt === undefined ? null : { ...subject, number: attempt.number } } };
  });
  if (bought.attempt === null) return bought.state === "active" ? "active" : "pending";
  // Another call with the same key may have been the one that bought.
  const isOwn = written?.subject_id === bought.attempt.subject_id;
  const attempt = await (isOwn && written !== undefined ? makeAttempt(parts, written) : resumeAttempt(parts, bought.attempt));
  if (attempt?.state !== "failed") return attempt?.state === "succeeded" ? "active" : "pending";
  if (attempt.failure === "ours") throw notTaken();
  throw refused("payment_failed", attempt.error ?? "The payment failed. Authorize another payment method.");
};

const notTaken = () =>
  standardError(502, "server_error", "billing_service_error", "The payment provider does not take this payment, and nothing was bought.");

/** Gives a customer credit, which is used before what it bought. */
export const giveCredit = (
  parts: BillingParts,
  organization: string,
  given: Pick<CreditGrant, "cents" | "expires_at">,
): Promise<CreditGrant> =>
  runCommand(parts, { organization, operation: "give-credit", key: undefined, body: null }, async () => {
    const now = parts.clock.now();
    const grant = givenCredit(organization, { source: "manual", ...given }, parts.ids, now);
    return { writes: grantWrites(grant, parts.ids, now), answer: grant };
  });

/**
 * Takes back what is left of a grant, or that it is waited for, once; what is waited for is not owed any more then. False where there is
 * no such grant, or nothing of it to take.
 */
export const voidGrant = (parts: BillingParts, organization: string, id: string): Promise<boolean> =>
  runCommand(parts, { organization, operation: "void-grant", key: undefined, body: null }, async () => {
    const { grants } = await readCustomerState(parts.table, organization);
    const grant = grants.find((each) => each.id === id);
    const writes = grant === undefined ? [] : await voidWrites(parts, grant);
    return { writes, answer: writes.length > 0 };
  });

const voidWrites = async (parts: BillingParts, grant: CreditGrant): Promise<readonly Write[]> => {
  const owed = grant.state === "pending" ? await receivableWrites(parts, owedFor(grant), "void") : undefined;
  return owed ?? takeBackGrant(parts, grant);
};

const owedFor = (grant: CreditGrant) => ({ organization_id: grant.organization_id, id: receivableId(grant) });

/**
 * Writes off what is left of a grant that has expired, by an entry of its own, once. One that nobody paid by then is voided. It waits
 * for the invoices of periods that the grant outlived.
 */
export const expireGrant = (parts: BillingParts, key: Pick<CreditGrant, "organization_id" | "id">): Promise<null> =>
  runCommand(parts, { organization: key.organization_id, operation: "expire-grant", key: undefined, body: null }, async () => {
    const now = parts.clock.now();
    const [grant, invoices] = await Promise.all([
      get(parts.table, CreditGrants, key, { consistent: true }),
      readInvoices(parts.table, key.organization_id),
    ]);
    const expires_at = grant?.expires_at ?? null;
    if (grant === undefined || grant.due_at === null || expires_at === null || grant.due_at > now) return { writes: [], answer: null };
    if (grant.state === "pending") return { writes: await voidWrites(parts, grant), answer: null };
    if (invoices.some((invoice) => !isMade(invoice) && invoice.period_end <= expires_at))
      return { writes: [later(grant, now)], answer: null };
    const state = grant.state === "active" ? "expired" : grant.state;
    const over: CreditGrant = { ...grant, state, remaining_cents: 0, due_at: null };
    const entry = entryWrite(grant, { delta_cents: -grant.remaining_cents, reason: "expiry", invoice_id: null }, parts.ids, now);
    return { writes: [nextVersion(CreditGrants, over), ...(grant.remaining_cents > 0 ? [entry] : [])], answer: null };
  });

/** While an invoice that may still take of it is not made. */
const later = (grant: CreditGrant, now: number) => nextVersion(CreditGrants, { ...grant, due_at: now + DAY_MS });

/** Grants in the states that they have at a moment. */
export const currentGrants = (grants: readonly CreditGrant[], now: number): readonly CreditGrant[] =>
  grants.map((grant) => ({ ...grant, state: grantState(grant, now) }));

/** An organization's credit: `cents` can be used now, the first of it until `expires_at` (milliseconds). */
export interface Credit extends ReturnType<typeof creditBalance> {
  /** Whether it may buy some. */
  readonly eligible: boolean;
  /** The projected cost of the current period, dollars as text. */
  readonly projectedUsd: string;
}

export const readCredit = async (parts: ReadOutlook, organization: string): Promise<Credit> => {
  const outlook = await readOutlook(parts, organization);
  const { account, grants } = outlook.customer;
  const projectedUsd = outlookOverview(outlook).projected_total_amount_usd;
  return { ...creditBalance(grants, outlook.now), eligible: account.status !== "suspended", projectedUsd };
};
