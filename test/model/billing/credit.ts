import { least } from "./amounts.ts";

export interface Grant {
  /** In the order in which they were made. */
  readonly number: number;
  readonly isBought: boolean;
  readonly madeAt: number;
  readonly expiresAt: number | null;
  readonly left: bigint;
}

export interface CreditUse {
  readonly number: number;
  readonly cents: bigint;
}

const NEVER = Number.MAX_SAFE_INTEGER;

/** Given before bought, then what ends first, then the oldest. */
const byUse = (one: Grant, other: Grant): number =>
  Number(one.isBought) - Number(other.isBought) ||
  (one.expiresAt ?? NEVER) - (other.expiresAt ?? NEVER) ||
  one.madeAt - other.madeAt ||
  one.number - other.number;

/** What grants pay of an amount: all that outlived the month, which ended at `monthEnd`. */
export const payFrom = (grants: readonly Grant[], cents: bigint, monthEnd: number): readonly CreditUse[] => {
  const uses: CreditUse[] = [];
  let open = cents;
  for (const { number, left } of grants.filter(({ expiresAt }) => (expiresAt ?? NEVER) >= monthEnd).toSorted(byUse)) {
    const part = least(open, left);
    if (part > 0n) uses.push({ number, cents: part });
    open -= part > 0n ? part : 0n;
  }
  return uses;
};

/** The credit that can be used at a moment. */
export const balance = (grants: readonly Grant[], now: number): bigint =>
  grants.reduce((sum, { left, expiresAt }) => sum + ((expiresAt ?? NEVER) > now ? left : 0n), 0n);
