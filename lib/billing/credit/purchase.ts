import { halfEven } from "../../core/bigints.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Write } from "../../ports/table.ts";
import { putting } from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import { CreditEntries, type CreditEntry, type CreditGrant, CreditGrants, GRANT_PRIORITY } from "../credits.ts";
import { refused } from "../refusal.ts";
import { replacing } from "../replacing.ts";
import { writtenOffAt } from "./credits.ts";

/** What a year's credit is cheaper by, by its dollars before the discount. */
export const CREDIT_BRACKETS = [
  { discount: 0.1, annual_credit_from_inclusive: 3_333, annual_credit_to_exclusive: 25_000 },
  { discount: 0.2, annual_credit_from_inclusive: 25_000, annual_credit_to_exclusive: 80_000 },
  { discount: 0.25, annual_credit_from_inclusive: 80_000, annual_credit_to_exclusive: 153_847 },
  { discount: 0.35, annual_credit_from_inclusive: 153_847, annual_credit_to_exclusive: null },
] as const;

export interface Order {
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
const grossCents = ({ annual_amount_usd, discount_percent }: Order): bigint => {
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
export const ordered = (
  organization_id: string,
  order: Order,
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

/** The writes that make a new grant: with its first entry, where it is paid. */
export const granting = (grant: CreditGrant, ids: Ids, now: number): readonly Write[] => [
  replacing(CreditGrants, grant),
  ...(grant.remaining_cents === 0
    ? []
    : [entering(grant, { delta_cents: grant.remaining_cents, reason: "grant", invoice_id: null }, ids, now)]),
];

/** The write of one movement of a grant's credit. */
export const entering = (
  { organization_id, id: grant_id }: Pick<CreditGrant, "organization_id" | "id">,
  movement: Pick<CreditEntry, "delta_cents" | "reason" | "invoice_id">,
  ids: Ids,
  now: number,
): Write => putting(CreditEntries, { organization_id, grant_id, id: ids.ulid(), at: now, ...movement }, ABSENT);
