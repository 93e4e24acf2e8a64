import { byte, rotateRight, times, word, word32, word64 } from "./words.ts";

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

/** XXH64 without a seed. */
export const xxHash64 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const lanes = length - (length % 32);
  let hash = word((length >= 32 ? ofLanes(bytes, lanes) : P5) + BigInt(length));
  let at = lanes;
  for (; at + 8 <= length; at += 8) hash = word(rotateRight(hash ^ round(0n, word64(bytes, at)), 37n) * P1 + P4);
  if (at + 4 <= length) {
    hash = word(rotateRight(hash ^ times(word32(bytes, at), P1), 41n) * P2 + P3);
    at += 4;
  }
  for (; at < length; at++) hash = times(rotateRight(hash ^ times(byte(bytes, at), P5), 53n), P1);
  hash = times(hash ^ (hash >> 33n), P2);
  hash = times(hash ^ (hash >> 29n), P3);
  return hash ^ (hash >> 32n);
};

const round = (lane: bigint, input: bigint): bigint => times(rotateRight(word(lane + input * P2), 33n), P1);

/** Four lanes, each over every fourth word. */
const ofLanes = (bytes: DataView, end: number): bigint => {
  let [a, b, c, d] = [word(P1 + P2), P2, 0n, word(-P1)];
  for (let at = 0; at < end; at += 32) {
    a = round(a, word64(bytes, at));
    b = round(b, word64(bytes, at + 8));
    c = round(c, word64(bytes, at + 16));
    d = round(d, word64(bytes, at + 24));
  }
  const merged = word(rotateRight(a, 63n) + rotateRight(b, 57n) + rotateRight(c, 52n) + rotateRight(d, 46n));
  return [a, b, c, d].reduce((hash, lane) => word((hash ^ round(0n, lane)) * P1 + P4), merged);
};
