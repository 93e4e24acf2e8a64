import type { Credits } from "../calls.ts";

type Brackets = Credits["credit_brackets"];

/** What a payment buys: the discount, as a fraction, and the dollars of credit. */
export interface Purchase {
  readonly discount: number;
  readonly credit: number;
}

/**
 * The largest discount at which a payment, whole dollars, buys enough credit for that very discount: brackets say how much credit has
 * which. Undefined where the payment is none.
 */
export const bestPurchase = (brackets: Brackets, usd: number): Purchase | undefined => {
  if (!Number.isSafeInteger(usd) || usd < 1) return undefined;
  const bought = (discount: number): Purchase => ({ discount, credit: Math.round((100 * usd) / (1 - discount)) / 100 });
  const fitting = brackets
    .filter((bracket) => isWithin(bracket, bought(bracket.discount).credit))
    .toSorted((a, b) => b.discount - a.discount)[0];
  return bought(fitting?.discount ?? 0);
};

const isWithin = ({ annual_credit_from_inclusive: from, annual_credit_to_exclusive: to }: Brackets[number], credit: number): boolean =>
  credit >= from && (to === null || credit < to);
