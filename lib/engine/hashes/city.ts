import { byte, K0, K1, K2, mixBits, pair, rotateRight, times, weak, word, word32, word64 } from "./words.ts";

/** CityHash64 of version 1.0.2, which is the one that ClickHouse keeps. */
export const cityHash64 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  if (length <= 16) return upTo16(bytes);
  if (length <= 32) return upTo32(bytes);
  return length <= 64 ? upTo64(bytes) : longer(bytes);
};

const K3 = 0xc949d7c7509e6557n;

const upTo16 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const size = BigInt(length);
  if (length > 8) {
    const [a, b] = [word64(bytes, 0), word64(bytes, length - 8)];
    return pair(a, rotateRight(word(b + size), size)) ^ b;
  }
  if (length >= 4) return pair(word(size + (word32(bytes, 0) << 3n)), word32(bytes, length - 4));
  if (length === 0) return K2;
  const y = byte(bytes, 0) + (byte(bytes, length >> 1) << 8n);
  const z = size + (byte(bytes, length - 1) << 2n);
  return times(mixBits(times(y, K2) ^ times(z, K3)), K2);
};

const upTo32 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const a = times(word64(bytes, 0), K1);
  const b = word64(bytes, 8);
  const c = times(word64(bytes, length - 8), K2);
  const d = times(word64(bytes, length - 16), K0);
  return pair(word(rotateRight(word(a - b), 43n) + rotateRight(c, 30n) + d), word(a + rotateRight(b ^ K3, 20n) - c + BigInt(length)));
};

const upTo64 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const first = half(bytes, word64(bytes, 24), word(word64(bytes, 0) + (BigInt(length) + word64(bytes, length - 16)) * K0), 8);
  const second = half(bytes, word64(bytes, length - 8), word(word64(bytes, 16) + word64(bytes, length - 32)), length - 24);
  const r = mixBits(word((first[0] + second[1]) * K2 + (second[0] + first[1]) * K0));
  return times(mixBits(word(r * K0 + first[1])), K2);
};

/** One of the two halves of a middling text: `z` and `start` begin it, the words at `at` and after it go in. */
const half = (bytes: DataView, z: bigint, start: bigint, at: number): readonly [bigint, bigint] => {
  const next = word(start + word64(bytes, at));
  const last = word(next + word64(bytes, at + 8));
  const c = rotateRight(start, 37n) + rotateRight(next, 7n);
  return [word(last + z), word(rotateRight(word(start + z), 52n) + rotateRight(last, 31n) + c)];
};

const longer = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const y0 = word64(bytes, length - 16) ^ K1;
  let v = weak(bytes, length - 64, BigInt(length), y0);
  let w = weak(bytes, length - 32, times(BigInt(length), K1), K0);
  let z = word((word64(bytes, length - 56) ^ K0) + times(mixBits(v[1]), K1));
  let x = times(rotateRight(word(z + word64(bytes, 0)), 39n), K1);
  let y = times(rotateRight(y0, 33n), K1);
  const end = (length - 1) & ~63;
  for (let at = 0; at < end; at += 64) {
    x = times(rotateRight(word(x + y + v[0] + word64(bytes, at + 16)), 37n), K1) ^ w[1];
    y = times(rotateRight(word(y + v[1] + word64(bytes, at + 48)), 42n), K1) ^ v[0];
    z = rotateRight(z ^ w[0], 33n);
    v = weak(bytes, at, times(v[1], K1), word(x + w[0]));
    w = weak(bytes, at + 32, word(z + w[1]), y);
    [z, x] = [x, z];
  }
  return pair(word(pair(v[0], w[0]) + times(mixBits(y), K1) + z), word(pair(v[1], w[1]) + x));
};
