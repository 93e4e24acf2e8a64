/** Whole numbers from 0 on, a bit for each: what a thousand segments were compared with takes a few hundred kilobytes. */
export type NumberSet = Uint32Array;

export const NO_NUMBERS: NumberSet = new Uint32Array(0);

const WORD_BITS = 32;

/** The numbers of a list. */
export const numberSet = (numbers: readonly number[]): NumberSet => {
  let most = -1;
  for (const number of numbers) if (number > most) most = number;
  const set = new Uint32Array((most + WORD_BITS) >>> 5);
  for (const number of numbers) set[number >>> 5] = (set[number >>> 5] ?? 0) | (1 << (number & 31));
  return set;
};

export const contains = (set: NumberSet, number: number): boolean => ((set[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;

export const containsAll = (set: NumberSet, others: NumberSet): boolean => {
  for (let word = 0; word < others.length; word++) if (((others[word] ?? 0) & ~(set[word] ?? 0)) !== 0) return false;
  return true;
};

export const union = (a: NumberSet, b: NumberSet): NumberSet => {
  const all = new Uint32Array(Math.max(a.length, b.length));
  for (let word = 0; word < all.length; word++) all[word] = (a[word] ?? 0) | (b[word] ?? 0);
  return all;
};

export const difference = (a: NumberSet, b: NumberSet): NumberSet => a.map((bits, word) => bits & ~(b[word] ?? 0));

export const size = (set: NumberSet): number => {
  let sum = 0;
  for (let bits of set) for (; bits !== 0; bits &= bits - 1) sum++;
  return sum;
};

export const sameNumbers = (a: NumberSet, b: NumberSet): boolean => containsAll(a, b) && containsAll(b, a);
