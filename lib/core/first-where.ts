/** The first place from which on a condition holds, in a list sorted so that it holds nowhere before; found by halving. */
export const firstWhere = <T>(sorted: ArrayLike<T>, holds: (value: T) => boolean): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle];
    if (value !== undefined && holds(value)) high = middle;
    else low = middle + 1;
  }
  return low;
};
