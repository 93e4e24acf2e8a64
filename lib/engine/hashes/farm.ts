import { byte, K0, K1, K2, mixBits, pair, rotateRight, times, weak, word, word32, word64 } from "./words.ts";

/** FarmHash64. ClickHouse's differs for texts of 512 bytes and more, for which it takes instructions of the machine's own. */
export const farmHash64 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  if (length <= 16) return upTo16(bytes);
  if (length <= 32) return upTo32(bytes);
  if (length <= 64) return upTo64(bytes);
  if (length <= 96) return upTo96(bytes);
  return length <= 256 ? upTo256(bytes) : longer(bytes);
};

const multiplier = (bytes: DataView): bigint => K2 + BigInt(bytes.byteLength) * 2n;

const upTo16 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const size = BigInt(length);
  const by = multiplier(bytes);
  if (length >= 8) {
    const [a, b] = [word(word64(bytes, 0) + K2), word64(bytes, length - 8)];
    return pair(word(times(rotateRight(b, 37n), by) + a), times(rotateRight(a, 25n) + b, by), by);
  }
  if (length >= 4) return pair(size + (word32(bytes, 0) << 3n), word32(bytes, length - 4), by);
  if (length === 0) return K2;
  const y = byte(bytes, 0) + (byte(bytes, length >> 1) << 8n);
  const z = size + (byte(bytes, length - 1) << 2n);
  return times(mixBits(times(y, K2) ^ times(z, K0)), K2);
};

const upTo32 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const by = multiplier(bytes);
  const a = times(word64(bytes, 0), K1);
  return ends(a, word64(bytes, 8), times(word64(bytes, length - 8), by), times(word64(bytes, length - 16), K2), by);
};

const ends = (a: bigint, b: bigint, c: bigint, d: bigint, by: bigint): bigint =>
  pair(word(rotateRight(word(a + b), 43n) + rotateRight(c, 30n) + d), word(a + rotateRight(word(b + K2), 18n) + c), by);

/** 32 bytes from `at` on, with two seeds. */
const of32 = (bytes: DataView, at: number, by: bigint, seedA = 0n, seedB = 0n): bigint => {
  const [a, b] = [times(word64(bytes, at), K1), word64(bytes, at + 8)];
  const [c, d] = [times(word64(bytes, at + 24), by), times(word64(bytes, at + 16), K2)];
  const u = word(rotateRight(word(a + b), 43n) + rotateRight(c, 30n) + d + seedA);
  const v = word(a + rotateRight(word(b + K2), 18n) + c + seedB);
  return mixBits(times(v ^ mixBits(times(u ^ v, by)), by));
};

const upTo64 = (bytes: DataView): bigint => {
  const by = multiplier(bytes) - 30n;
  const first = of32(bytes, 0, K2 - 30n);
  return times(of32(bytes, bytes.byteLength - 32, by) * by + first, by);
};

const upTo96 = (bytes: DataView): bigint => {
  const by = multiplier(bytes) - 114n;
  const first = of32(bytes, 0, K2 - 114n);
  const second = of32(bytes, 32, by);
  const third = of32(bytes, bytes.byteLength - 32, by, first, second);
  return times(third * 9n + (first >> 17n) + (second >> 21n), by);
};

interface State {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly v: readonly [bigint, bigint];
  readonly w: readonly [bigint, bigint];
}

const SEED = 81n;

const upTo256 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const y = word(SEED * K1 + 113n);
  const z = times(mixBits(word(y * K2 + 113n)), K2);
  let state: State = { x: word(SEED * K2 + word64(bytes, 0)), y, z, v: [0n, 0n], w: [0n, 0n] };
  const end = (length - 1) & ~63;
  for (let at = 0; at < end; at += 64) state = step(bytes, at, state, K1, 1n);
  const by = K1 + ((state.z & 0xffn) << 1n);
  const w0 = state.w[0] + BigInt((length - 1) & 63);
  const v0 = word(state.v[0] + w0);
  const last = step(bytes, length - 64, { ...state, v: [v0, state.v[1]], w: [word(w0 + v0), state.w[1]] }, by, 9n);
  return pair(
    word(pair(last.v[0], last.w[0], by) + times(mixBits(last.y), K0) + last.z),
    word(pair(last.v[1], last.w[1], by) + last.x),
    by,
  );
};

const step = (bytes: DataView, at: number, { x, y, z, v, w }: State, by: bigint, weight: bigint): State => {
  const x1 = times(rotateRight(word(x + y + v[0] + word64(bytes, at + 8)), 37n), by) ^ word(w[1] * weight);
  const y1 = word(times(rotateRight(word(y + v[1] + word64(bytes, at + 48)), 42n), by) + v[0] * weight + word64(bytes, at + 40));
  const z1 = times(rotateRight(word(z + w[0]), 33n), by);
  const v1 = weak(bytes, at, times(v[1], by), word(x1 + w[0]));
  const w1 = weak(bytes, at + 32, word(z1 + w[1]), word(y1 + word64(bytes, at + 16)));
  return { x: z1, y: y1, z: x1, v: v1, w: w1 };
};

const longer = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  let [x, y] = [SEED, 113n];
  let z = times(mixBits(times(y, K2)), K2);
  let [v0, v1, w0, w1] = [SEED, 0n, 0n, 0n];
  let u = word(x - z);
  x = times(x, K2);
  const by = K2 + (u & 0x82n);
  const end = (length - 1) & ~63;
  for (let at = 0; at < end; at += 64) {
    const input = (index: number): bigint => word64(bytes, at + 8 * index);
    const [a0, a1, a2, a3, a4, a5, a6, a7] = [input(0), input(1), input(2), input(3), input(4), input(5), input(6), input(7)];
    x = times(rotateRight(word(x + a0 + a1), 26n), 9n);
    y = rotateRight(word(y + a2), 29n);
    z = rotateRight(times(z + a3, by), 32n);
    v0 = rotateRight(word(v0 + a4), 33n);
    v1 = rotateRight(word(v1 + a5 + a1), 30n);
    w0 = times(word(w0 + a6) ^ x, 9n);
    w1 = word(w1 + a7);
    z = word(z + w1);
    w1 = word(w1 + z);
    z = times(z, 9n);
    [u, y] = [y, u];
    z = word(z + a0 + a6);
    v0 = word(v0 + a2);
    v1 = word(v1 + a3);
    w0 = word(w0 + a4);
    w1 = word(w1 + a5 + a6);
    x = word(x + a1);
    y = word(y + a7 + v0);
    v0 = word(v0 + x - y);
    v1 = word(v1 + w0);
    w0 = word(w0 + v1);
    w1 = word(w1 + x - y);
    x = word(x + w1);
    w1 = rotateRight(w1, 34n);
    [u, z] = [z, u];
  }
  const last = length - 64;
  v1 = rotateRight(v1, 28n);
  v0 = rotateRight(v0, 20n);
  w0 = word(w0 + BigInt((length - 1) & 63));
  u = word(u * 9n + y);
  y = word(y + u);
  x = times(rotateRight(word(y - x + v0 + word64(bytes, last + 8)), 37n), by) ^ word(w1 * 9n);
  y = word(times(rotateRight(y ^ v1 ^ word64(bytes, last + 48), 42n), by) + v0 + word64(bytes, last + 40));
  z = times(rotateRight(word(z + w0), 33n), by);
  [v0, v1] = weak(bytes, last, times(v1, by), word(x + w0));
  [w0, w1] = weak(bytes, last + 32, word(z + w1), word(y + word64(bytes, last + 16)));
  const inner = word(pair(word(v0 + x), w0 ^ y, by) + z - u);
  return rotatePair(inner, rotatePair(word(v1 + y), word(w1 + z), 30n) ^ x, 31n);
};

const rotatePair = (x: bigint, y: bigint, by: bigint): bigint => times(rotateRight(times(y ^ mixBits(times(x ^ y, K2)), K2), by), K2);
