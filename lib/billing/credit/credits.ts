import { least } from "../../core/bigints.ts";
import { DAY_MS } from "../../core/time.ts";
import type { CreditGrant } from "../credits.ts";

/** What an invoice takes of a grant. */
export interface CreditUse {
  readonly grant: CreditGrant;
  readonly cents: bigint;
}

/** The state of a grant at a time: expiry is derived, not stored. */
export const grantState = ({ state, expires_at }: CreditGrant, at: number): CreditGrant["state"] =>
  state === "active" && expires_at !== null && expires_at <= at ? "expired" : state;

/** Whether a grant's credit can be used at a moment. */
const isUsable = (grant: CreditGrant, at: number): boolean =>
  grantState(grant, at) === "active" && grant.effective_at <= at && grant.remaining_cents > 0;

/** Given credit first, then what ends soonest, then what is oldest. */
const byUse = (a: CreditGrant, b: CreditGrant): number =>
  a.priority - b.priority ||
  (a.expires_at ?? Number.MAX_SAFE_INTEGER) - (b.expires_at ?? Number.MAX_SAFE_INTEGER) ||
  a.created_at - b.created_at ||
  (a.id < b.id ? -1 : 1);

/**
 * What of the grants pays an amount: of each as much as is needed and left. One that has ended since still pays for what it outlived.
 * At most so many, because they change in one transaction.
 */
export const payFrom = (grants: readonly CreditGrant[], due: bigint, at: number, livedAt = at): readonly CreditUse[] => {
  let left = due;
  return grants
    .filter((grant) => grant.effective_at <= at && grantState(grant, livedAt) === "active" && grant.remaining_cents > 0)
    .toSorted(byUse)
    .slice(0, MOST_GRANTS)
    .map((grant) => {
      const cents = least(left, BigInt(grant.remaining_cents));
      left -= cents;
      return { grant, cents };
    })
    .filter(({ cents }) => cents > 0n);
};

/** A transaction takes a hundred writes; a grant takes two, and the invoice and its coupons need some, too. */
const MOST_GRANTS = 30;

/** A grant after so much of it was used. */
export const used = (grant: CreditGrant, cents: bigint): CreditGrant => {
  const remaining_cents = grant.remaining_cents - Number(cents);
  return { ...grant, remaining_cents, state: remaining_cents === 0 ? "depleted" : grant.state };
};

/** A grant after so much was given back. One that has expired is written off once more. */
export const restored = (grant: CreditGrant, cents: bigint): CreditGrant => ({
  ...grant,
  remaining_cents: grant.remaining_cents + Number(cents),
  state: grant.state === "depleted" ? "active" : grant.state,
  due_at: writtenOffAt(grant),
});

/** Invoices of periods that a grant outlived are made within so long, and may still take of it. */
const LAST_USE_MS = 8 * DAY_MS;

/** When what is left of a grant is written off; null where it has no end. */
export const writtenOffAt = ({ expires_at }: Pick<CreditGrant, "expires_at">): number | null =>
  expires_at === null ? null : expires_at + LAST_USE_MS;

/** All credit that can be used now: how much, until when the first of it, and which grant is the newest. */
export const balanceOf = (grants: readonly CreditGrant[], now: number) => {
  const usable = grants.filter((grant) => isUsable(grant, now)).toSorted(byUse);
  const latest = grants.toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))[0];
  const status = usable.length > 0 ? ("active" as const) : latest === undefined ? ("none" as const) : grantState(latest, now);
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
