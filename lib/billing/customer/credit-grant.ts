import * as z from "zod";
import { least } from "../../core/bigints.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Ids } from "../../ports/system.ts";
import type { Write } from "../../ports/table.ts";
import { entity } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";
import { putting } from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import { nextVersion } from "../../table/versions.ts";

const GRANT_SOURCES = ["purchase", "coupon", "refund", "manual"] as const;
const GRANT_STATES = ["pending", "active", "depleted", "expired", "voided"] as const;

/** Given credit is used before bought credit. */
export const GRANT_PRIORITY = { given: 1, bought: 10 } as const;

/** Credit that pays invoices. What is left of it is the sum of its entries, and changes only together with one. */
export const CreditGrant = z.object({
  organization_id: z.guid(),
  /** A ULID, so that the older of two sorts first. */
  id: z.string(),
  source: z.enum(GRANT_SOURCES),
  state: z.enum(GRANT_STATES),
  cents: z.int().positive(),
  /** Its price, after its discount. */
  charge_cents: z.int().min(0),
  remaining_cents: z.int().min(0),
  /** What was refunded of its price after invoices had used it: taken from what they give back. */
  refunded_use_cents: z.int().min(0).default(0),
  priority: z.int().min(0),
  collection_method: z.enum(["charge_automatically", "send_invoice"]),
  /** Milliseconds since 1970. */
  created_at: z.int(),
  effective_at: z.int(),
  expires_at: z.int().nullable(),
  /** When what is left of it is written off, null where that is done or never comes: what the closing looks for. */
  due_at: z.int().nullable().default(null),
  version: z.int().min(0),
});
export type CreditGrant = z.output<typeof CreditGrant>;

export const CreditGrants = entity({
  name: "billing-credit-grant",
  version: 1,
  schema: CreditGrant,
  key: within("billing", "grant#{id}", { organization: "organization_id" }),
  patterns: { due: { index: "due", pk: "billing-grants", sk: "{due_at}#{organization_id}#{id}" } },
});

const ENTRY_REASONS = ["grant", "invoice", "invoice_voided", "expiry", "void"] as const;

/** One movement of a grant's credit. Written once, with what moved; never changed and never removed. */
export const CreditEntry = z.object({
  organization_id: z.guid(),
  grant_id: z.string(),
  id: z.string(),
  delta_cents: z.int(),
  invoice_id: z.string().nullable(),
  reason: z.enum(ENTRY_REASONS),
  at: z.int(),
});
export type CreditEntry = z.output<typeof CreditEntry>;

export const CreditEntries = entity({
  name: "billing-credit-entry",
  version: 1,
  schema: CreditEntry,
  key: within("creditUses", "{grant_id}#{id}", { organization: "organization_id" }),
  patterns: {},
});

/** The cents that an invoice takes of a grant. */
export interface CreditUse {
  readonly grant: CreditGrant;
  readonly cents: bigint;
}

/** The state of a grant at a time: expiry is derived, not stored. */
export const grantState = ({ state, expires_at }: CreditGrant, at: number): CreditGrant["state"] =>
  state === "active" && expires_at !== null && expires_at <= at ? "expired" : state;

const isUsable = (grant: CreditGrant, at: number): boolean =>
  grantState(grant, at) === "active" && grant.effective_at <= at && grant.remaining_cents > 0;

/** Given credit first, then what ends soonest, then what is oldest. */
const byUse = (a: CreditGrant, b: CreditGrant): number =>
  a.priority - b.priority ||
  (a.expires_at ?? Number.MAX_SAFE_INTEGER) - (b.expires_at ?? Number.MAX_SAFE_INTEGER) ||
  a.created_at - b.created_at ||
  (a.id < b.id ? -1 : 1);

/**
 * The grants that pay an amount, each with as much as is needed and left, in the order in which they are used. One that has ended since
 * still pays for the period that it outlived, whose last moment is `livedAt`.
 */
export const payFrom = (grants: readonly CreditGrant[], due: bigint, at: number, livedAt = at): readonly CreditUse[] => {
  let left = due;
  return grants
    .filter((grant) => grant.effective_at <= at && grantState(grant, livedAt) === "active" && grant.remaining_cents > 0)
    .toSorted(byUse)
    .map((grant) => {
      const cents = least(left, BigInt(grant.remaining_cents));
      left -= cents;
      return { grant, cents };
    })
    .filter(({ cents }) => cents > 0n);
};

/** A grant after so much of it was used. */
export const deduct = (grant: CreditGrant, cents: bigint): CreditGrant => {
  const remaining_cents = grant.remaining_cents - Number(cents);
  return { ...grant, remaining_cents, state: remaining_cents === 0 ? "depleted" : grant.state };
};

/** A grant after so much was given back, less what was refunded of it. One that has expired is written off once more. */
export const giveBack = (grant: CreditGrant, cents: bigint): CreditGrant => {
  const refunded = refundedOf(grant, cents);
  const remaining_cents = grant.remaining_cents + Number(cents - refunded);
  return {
    ...grant,
    remaining_cents,
    refunded_use_cents: grant.refunded_use_cents - Number(refunded),
    state: grant.state === "depleted" && remaining_cents > 0 ? "active" : grant.state,
    due_at: writtenOffAt(grant),
  };
};

/** How much of what a grant is given back was refunded already. */
export const refundedOf = ({ refunded_use_cents }: CreditGrant, cents: bigint): bigint => least(cents, BigInt(refunded_use_cents));

/** Invoices of periods that a grant outlived are made within so long, and may still take of it. */
const LAST_USE_MS = 8 * DAY_MS;

/** When what is left of a grant is written off; null where it has no end. */
export const writtenOffAt = ({ expires_at }: Pick<CreditGrant, "expires_at">): number | null =>
  expires_at === null ? null : expires_at + LAST_USE_MS;

/** All credit that can be used now: how much, until when the first of it, and which grant is the newest. */
export const creditBalance = (grants: readonly CreditGrant[], now: number) => {
  const usable = grants.filter((grant) => isUsable(grant, now)).toSorted(byUse);
  const latest = grants.toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))[0];
  const isAwaited = grants.some(({ state }) => state === "pending");
  const before = latest === undefined ? ("none" as const) : grantState(latest, now);
  const status = usable.length > 0 ? ("active" as const) : isAwaited ? ("pending" as const) : before;
  return {
    status,
    latest,
    cents: usable.reduce((sum, { remaining_cents }) => sum + BigInt(remaining_cents), 0n),
    expires_at: usable.reduce<number | null>(
      (soonest, { expires_at }) => (soonest === null || (expires_at ?? soonest) < soonest ? expires_at : soonest),
      null,
    ),
  };
};

/** The writes that make a new grant: with its first entry, where it is paid. */
export const grantWrites = (grant: CreditGrant, ids: Ids, now: number): readonly Write[] => [
  nextVersion(CreditGrants, grant),
  ...(grant.remaining_cents === 0
    ? []
    : [entryWrite(grant, { delta_cents: grant.remaining_cents, reason: "grant", invoice_id: null }, ids, now)]),
];

/** The write of one movement of a grant's credit. */
export const entryWrite = (
  { organization_id, id: grant_id }: Pick<CreditGrant, "organization_id" | "id">,
  movement: Pick<CreditEntry, "delta_cents" | "reason" | "invoice_id">,
  ids: Ids,
  now: number,
): Write => putting(CreditEntries, { organization_id, grant_id, id: ids.ulid(), at: now, ...movement }, ABSENT);
