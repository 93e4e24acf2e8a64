import { halfEven } from "./bigints.ts";

/** Unit prices and their sums are whole nano-dollars, amounts billed are whole cents; neither is ever a JavaScript number. */
export type NanoDollars = bigint;

/** What days cost where they are shown: amounts of six places, which add up to each other. */
export type MicroDollars = bigint;

export const NANO_PER_CENT = 10_000_000n;
export const NANO_PER_MICRO = 1_000n;
const NANO_DIGITS = 9;
const CENTS_PER_DOLLAR = 100n;

/** The one place where a rated amount becomes money that somebody pays. */
export const roundToCents = (nano: bigint): bigint => halfEven(nano, NANO_PER_CENT);

/** Halves are rounded up. */
export const roundToMicros = (nano: NanoDollars): MicroDollars => (nano + NANO_PER_MICRO / 2n) / NANO_PER_MICRO;

export const centsToNano = (cents: bigint): bigint => cents * NANO_PER_CENT;

/** Nano-dollars of a decimal price of at most nine places. */
export const parseUsd = (usd: string): bigint => {
  const [whole = "", places = ""] = usd.split(".");
  return BigInt(whole + places.padEnd(NANO_DIGITS, "0"));
};

/** An amount with two places: "92.88". */
export const formatUsd = (cents: bigint): string => {
  const sign = cents < 0n ? "-" : "";
  const positive = cents < 0n ? -cents : cents;
  return `${sign}${positive / CENTS_PER_DOLLAR}.${String(positive % CENTS_PER_DOLLAR).padStart(2, "0")}`;
};

/** A price with as many places as it needs: "0.0000343", "0". */
export const formatUnitPrice = (nano: bigint): string => {
  const text = String(nano).padStart(NANO_DIGITS + 1, "0");
  return `${text.slice(0, -NANO_DIGITS)}.${text.slice(-NANO_DIGITS)}`.replace(/\.?0+$/, "");
};

/**
 * A whole amount in parts that follow their weights and add up to it exactly: what rounding down leaves over goes, one each, to the
 * parts with the largest remainders, the first of those that are equal. Without any weight there is nothing to follow: all zero.
 */
export const split = (total: bigint, weights: readonly bigint[]): readonly bigint[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (total * weight) / sum);
  const over = Number(total - parts.reduce((all, part) => all + part, 0n));
  const byRemainder = weights
    .map((weight, at) => ({ at, remainder: (total * weight) % sum }))
    .toSorted((a, b) => (a.remainder < b.remainder ? 1 : a.remainder > b.remainder ? -1 : a.at - b.at));
  const favoured = new Set(byRemainder.slice(0, over).map(({ at }) => at));
  return parts.map((part, at) => (favoured.has(at) ? part + 1n : part));
};
