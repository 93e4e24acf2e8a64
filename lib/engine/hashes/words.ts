/** Arithmetic of unsigned words of 64 bits, and the words of bytes, lowest byte first. */

export const word = (value: bigint): bigint => BigInt.asUintN(64, value);

/** Turned right; `by` is 1 to 63. */
export const rotateRight = (value: bigint, by: bigint): bigint => word((value >> by) | (value << (64n - by)));

export const times = (a: bigint, b: bigint): bigint => BigInt.asUintN(64, a * b);

/** The upper bits mixed into the lower ones. */
export const mixBits = (value: bigint): bigint => value ^ (value >> 47n);

export const word64 = (bytes: DataView, at: number): bigint => bytes.getBigUint64(at, true);
export const word32 = (bytes: DataView, at: number): bigint => BigInt(bytes.getUint32(at, true));
export const byte = (bytes: DataView, at: number): bigint => BigInt(bytes.getUint8(at));

/** Constants that the hashes of Google's families share. */
export const K0 = 0xc3a5c85c97cb3127n;
export const K1 = 0xb492b66fbe98f273n;
export const K2 = 0x9ae16a3b2f90404fn;

/** Multiplier of a pair of words where none depends on the length. */
const PAIR = 0x9ddfea08eb382d69n;

/** Two words as one. */
export const pair = (u: bigint, v: bigint, by = PAIR): bigint => {
  const a = mixBits(times(u ^ v, by));
  return times(mixBits(times(v ^ a, by)), by);
};

type Pair = readonly [bigint, bigint];

/** 32 bytes from `at` and two seeds as a pair of words. */
export const weak = (bytes: DataView, at: number, seedA: bigint, seedB: bigint): Pair => {
  const a = seedA + word64(bytes, at);
  const last = word64(bytes, at + 24);
  const c = word(a + word64(bytes, at + 8) + word64(bytes, at + 16));
  const b = rotateRight(word(seedB + a + last), 21n) + rotateRight(c, 44n);
  return [word(c + last), word(b + a)];
};
