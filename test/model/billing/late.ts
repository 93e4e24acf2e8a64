import { least, total } from "./amounts.ts";
import type { Charge } from "./rating.ts";

/** A line of an invoice; of its own month, or of an earlier one that was closed before all of its use was known. */
export interface Line extends Charge {
  /** Start of the earlier month; null for the invoice's own. */
  readonly lateOf: number | null;
}

/** What invoices said of one month before, in their order; one that was voided forgave what it said. */
export interface Billed {
  readonly line: Charge;
  readonly isForgiven: boolean;
}

/**
 * What is still to be billed of a month that was closed before: its charges as they are now, less all that was billed of them. Below zero
 * where less was used; but what was forgiven is not given back.
 */
export const lateLines = (month: number, now: readonly Charge[], billed: readonly Billed[]): readonly Line[] => {
  const nameOf = ({ product, planKey, kind }: Charge): string => `${product} ${planKey} ${kind}`;
  const charges = new Map(
    [...billed.map(({ line }) => ({ ...line, quantity: 0n, cents: 0n })), ...now].map((each) => [nameOf(each), each]),
  );
  return [...charges].flatMap(([name, charge]) => {
    const before = billed.filter(({ line }) => nameOf(line) === name);
    const more = charge.cents - total(before.map(({ line }) => line.cents));
    const cents = more > 0n ? more : -refund(before, -more);
    const quantity = charge.quantity - total(before.map(({ line }) => line.quantity));
    return cents === 0n ? [] : [{ ...charge, quantity, cents, lateOf: month }];
  });
};

/** What comes back where so much was billed too much: what was billed last goes first, and of that only what was not forgiven. */
const refund = (billed: readonly Billed[], tooMuch: bigint): bigint => {
  const layers: { cents: bigint; readonly isForgiven: boolean }[] = [];
  for (const { line, isForgiven } of billed) {
    if (line.cents > 0n) layers.push({ cents: line.cents, isForgiven });
    // What was given back before is not there any more, and it was not of what was forgiven.
    let gone = -line.cents;
    for (const layer of gone > 0n ? layers.filter((each) => !each.isForgiven).reverse() : []) {
      const part = least(gone, layer.cents);
      layer.cents -= part;
      gone -= part;
    }
  }
  let open = tooMuch;
  let back = 0n;
  for (const { cents, isForgiven } of layers.toReversed()) {
    const part = least(open, cents);
    open -= part;
    if (!isForgiven) back += part;
  }
  return back;
};
