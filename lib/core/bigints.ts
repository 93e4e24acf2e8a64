/** `Math.min` and `Math.max` for bigints, which they do not take. */
export const least = (a: bigint, b: bigint): bigint => {
  if (a < b) return a;
  return b;
};

export const greatest = (a: bigint, b: bigint): bigint => {
  if (a > b) return a;
  return b;
};

/** The nearest whole number of a fraction with a positive divisor; of two that are as near, the even one. */
export const halfEven = (dividend: bigint, divisor: bigint): bigint => {
  const floor = dividend >= 0n ? dividend / divisor : -((-dividend + divisor - 1n) / divisor);
  const twice = (dividend - floor * divisor) * 2n;
  if (twice < divisor) return floor;
  return twice > divisor || floor % 2n !== 0n ? floor + 1n : floor;
};
