/** A value of each bucket so far: the sum of it and those before. */
export const runningTotal = (numbers: readonly number[]): readonly number[] => {
  let sum = 0;
  return numbers.map((number) => {
    sum += number;
    return sum;
  });
};

/** The mean of each bucket and those before it, at most `width` together, cut down to a whole number. */
export const smoothed = (numbers: readonly number[], width: number): readonly number[] =>
  numbers.map((_, index) => {
    const window = numbers.slice(Math.max(0, index - width + 1), index + 1);
    return Math.floor(total(window) / window.length);
  });

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
