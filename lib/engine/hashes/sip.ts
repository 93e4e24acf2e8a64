import { rotateRight, word, word64 } from "./words.ts";

type State = readonly [bigint, bigint, bigint, bigint];

/** The four words of "somepseudorandomlygeneratedbytes", with a key of zeros. */
const START: State = [0x736f6d6570736575n, 0x646f72616e646f6dn, 0x6c7967656e657261n, 0x7465646279746573n];

/** SipHash-2-4 with a key of zeros. */
export const sipHash64 = (bytes: DataView): bigint => {
  const length = bytes.byteLength;
  const whole = length - (length % 8);
  let state = START;
  for (let at = 0; at < whole; at += 8) state = absorb(state, word64(bytes, at));
  let rest = BigInt(length & 0xff) << 56n;
  for (let at = whole; at < length; at++) rest |= BigInt(bytes.getUint8(at)) << BigInt(8 * (at - whole));
  const [a, b, c, d] = absorb(state, rest);
  const [e, f, g, h] = rounds([a, b, c ^ 0xffn, d], 4);
  return e ^ f ^ g ^ h;
};

const absorb = ([a, b, c, d]: State, part: bigint): State => {
  const [e, f, g, h] = rounds([a, b, c, d ^ part], 2);
  return [e ^ part, f, g, h];
};

const rounds = (state: State, count: number): State => {
  let [a, b, c, d] = state;
  for (let round = 0; round < count; round++) {
    a = word(a + b);
    b = rotateRight(b, 51n) ^ a;
    a = rotateRight(a, 32n);
    c = word(c + d);
    d = rotateRight(d, 48n) ^ c;
    a = word(a + d);
    d = rotateRight(d, 43n) ^ a;
    c = word(c + b);
    b = rotateRight(b, 47n) ^ c;
    c = rotateRight(c, 32n);
  }
  return [a, b, c, d];
};
