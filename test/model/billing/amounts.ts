/** Exact amounts: prices and costs are whole nano-dollars, what is billed is whole cents. */

export const NANO_PER_CENT = 10_000_000n;

/** `over / under` as the nearest whole number; of two that are as near, the even one. */
export const halfEven = (over: bigint, under: bigint): bigint => {
  if (over < 0n) return -halfEven(-over, under);
  const [whole, rest] = [over / under, over % under];
  const isUp = rest * 2n > under || (rest * 2n === under && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
};

export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other);

export const total = (amounts: Iterable<bigint>): bigint => {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
};

/** Cents as dollars with two places. */
export const dollars = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
