import { greatest } from "./amounts.ts";
import type { Charge } from "./rating.ts";

/** A line of an invoice; of its own month, or of an earlier one that was closed before all of its use was known. */
export interface Line extends Charge {
  /** Start of the earlier month; null for the invoice's own. */
  readonly lateOf: number | null;
}

/** What invoices said of one month before; one that was voided forgave what it said. */
export interface Billed {
  readonly line: Charge;
  readonly isForgiven: boolean;
}

/**
 * What is still to be billed of a month that was closed before: its charges as they are now, less all that was billed of them. Below zero
 * where less was used, but never by more than was not forgiven.
 */
export const lateLines = (month: number, now: readonly Charge[], billed: readonly Billed[]): readonly Line[] => {
  const nameOf = ({ product, planKey, kind }: Charge): string => `${product} ${planKey} ${kind}`;
  const charges = new Map(
    [...billed.map(({ line }) => ({ ...line, quantity: 0n, cents: 0n })), ...now].map((each) => [nameOf(each), each]),
  );
  return [...charges].flatMap(([name, charge]) => {
    const before = billed.filter(({ line }) => nameOf(line) === name);
    const sum = (amount: (line: Charge) => bigint, of = before): bigint => of.reduce((so, { line }) => so + amount(line), 0n);
    const kept = sum(
      ({ cents }) => cents,
      before.filter(({ isForgiven }) => !isForgiven),
    );
    const cents = greatest(charge.cents - sum((line) => line.cents), -kept);
    const quantity = charge.quantity - sum((line) => line.quantity);
    return cents === 0n && quantity === 0n ? [] : [{ ...charge, quantity, cents, lateOf: month }];
  });
};
