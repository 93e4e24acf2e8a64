import { halfEven } from "../core/bigints.ts";
import { DAY_MS } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import type { Ids } from "../ports/system.ts";
import { get } from "../table/store.ts";
import { type BillingParts, type Command, nextVersion, refused, runCommand } from "./commands.ts";
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
import { readCustomerState } from "./customer.ts";
import { isMade, readInvoices } from "./invoices.ts";
import { outlookOverview } from "./overview/overview.ts";
import { type ReadOutlook, readOutlook } from "./overview.ts";
import { checkPaymentMethod, type PaymentProvider } from "./payments/payment-provider.ts";
import { openProvider, settle } from "./payments.ts";

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

const YEAR_MS = 365 * DAY_MS;
const TOLERANCE = 0.01;
/** Millionths of the whole in a per cent. */
const PER_CENT = 10_000;
const WHOLE = 1_000_000n;

/** The cents of credit that an order buys: its amount as it was before the discount, which must be the one for so much. */
const grossCents = ({ annual_amount_usd, discount_percent }: CreditOrder): bigint => {
  const kept = WHOLE - BigInt(Math.round(discount_percent * PER_CENT));
  if (kept <= 0n) throw refused("invalid_discount", INVALID_DISCOUNT);
  const cents = halfEven(BigInt(annual_amount_usd) * 100n * WHOLE, kept);
  const dollars = Number((cents + 99n) / 100n);
  const bracket = CREDIT_BRACKETS.findLast(({ annual_credit_from_inclusive }) => dollars >= annual_credit_from_inclusive);
  const difference = Math.abs(discount_percent / 100 - (bracket?.discount ?? 0));
  if (difference > TOLERANCE + Number.EPSILON) throw refused("invalid_discount", INVALID_DISCOUNT);
  if (cents > BigInt(Number.MAX_SAFE_INTEGER)) throw refused("invalid_discount", INVALID_DISCOUNT);
  return cents;
};

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
  const isPaid = order.collection_method === "charge_automatically" && !collects;
  return {
    organization_id,
    id: ids.ulid(),
    source: "purchase",
    state: isPaid ? "active" : "pending",
    cents,
    charge_cents: order.annual_amount_usd * 100,
    remaining_cents: isPaid ? cents : 0,
    priority: GRANT_PRIORITY.bought,
    collection_method: order.collection_method,
    created_at: now,
    effective_at: now,
    expires_at: now + YEAR_MS,
    due_at: writtenOffAt({ expires_at: now + YEAR_MS }),
    version: 0,
  };
};

/**
 * Buys credit for a year. Answers whether it is there: bought credit waits for its payment, which is collected at once where the order
 * says so and somebody collects. Throws 400 for a discount that is not the one for so much, without a payment method, and where the
 * payment fails.
 */
export const buyCredit = async (
  parts: BillingParts & Pick<Ports, "config">,
  command: Command,
  order: CreditOrder,
): Promise<"active" | "pending"> => {
  const provider = openProvider(parts.config, parts.ids);
  const bought = await runCommand(parts, command, async () => {
    const { account } = await readCustomerState(parts.table, command.organization);
    if (order.collection_method === "charge_automatically") checkPaymentMethod(provider, account);
    const now = parts.clock.now();
    const grant = newPurchase(account.organization_id, order, provider, parts.ids, now);
    const { id, charge_cents, state } = grant;
    return { writes: grantWrites(grant, parts.ids, now), answer: { id, charge_cents, state } };
  });
  if (bought.state === "active") return "active";
  const isCollected = provider.collects && order.collection_method === "charge_automatically";
  return isCollected && (await isCharged(parts, provider, command.organization, bought)) ? "active" : "pending";
};

/** A grant that could not be paid is bought anew. */
const FIRST_ATTEMPT = 0;

/** Collects for a grant that waits for it, once however often it is asked; whether it is paid. */
const isCharged = async (
  parts: BillingParts,
  provider: PaymentProvider,
  organization_id: string,
  { id, charge_cents }: Pick<CreditGrant, "id" | "charge_cents">,
): Promise<boolean> => {
  const { account } = await readCustomerState(parts.table, organization_id);
  const subject = { organization_id, kind: "grant", id } as const;
  const paid = await provider.charge(account, charge_cents, subject, FIRST_ATTEMPT);
  await settle(parts, subject, paid);
  if (paid.state === "failed") throw refused("payment_failed", paid.error ?? "The payment failed. Authorize another payment method.");
  return paid.state === "success";
};

/** Gives a customer credit, which is used before what it bought. */
export const giveCredit = (
  parts: BillingParts,
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
    return { writes: grantWrites(grant, parts.ids, now), answer: grant };
  });

/** Takes back what is left of a grant, or that it is waited for, once. False where there is no such grant, or nothing of it to take. */
export const voidGrant = (parts: BillingParts, organization: string, id: string): Promise<boolean> =>
  runCommand(parts, { organization, operation: "void-grant", key: undefined, body: null }, async () => {
    const { grants } = await readCustomerState(parts.table, organization);
    const grant = grants.find((each) => each.id === id);
    if (grant?.state !== "active" && grant?.state !== "pending") return { writes: [], answer: false };
    const entry = entryWrite(
      grant,
      { delta_cents: -grant.remaining_cents, reason: "void", invoice_id: null },
      parts.ids,
      parts.clock.now(),
    );
    const voided: CreditGrant = { ...grant, state: "voided", remaining_cents: 0, due_at: null };
    return { writes: [nextVersion(CreditGrants, voided), ...(grant.remaining_cents > 0 ? [entry] : [])], answer: true };
  });

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
    if (invoices.some((invoice) => !isMade(invoice) && invoice.period_end <= expires_at))
      return { writes: [later(grant, now)], answer: null };
    const over: CreditGrant = { ...grant, state: finalState(grant), remaining_cents: 0, due_at: null };
    const entry = entryWrite(grant, { delta_cents: -grant.remaining_cents, reason: "expiry", invoice_id: null }, parts.ids, now);
    return { writes: [nextVersion(CreditGrants, over), ...(grant.remaining_cents > 0 ? [entry] : [])], answer: null };
  });

/** While an invoice that may still take of it is not made. */
const later = (grant: CreditGrant, now: number) => nextVersion(CreditGrants, { ...grant, due_at: now + DAY_MS });

const finalState = ({ state }: CreditGrant): CreditGrant["state"] => {
  if (state === "pending") return "voided";
  return state === "active" ? "expired" : state;
};

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
