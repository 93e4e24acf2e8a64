/** `Math.min` and `Math.max` for bigints, which they do not take. */
export const least = (a: bigint, b: bigint): bigint => {
  if (a < b) return a;
  return b;
};

export const greatest = (a: bigint, b: bigint): bigint => {
  if (a > b) return a;
  return b;
};
