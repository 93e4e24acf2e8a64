import { MAX_BOUND_LENGTH } from "../lake/catalogue.ts";

/** The least and the greatest value of a column in a file, or something below and above them, as the format stores single values. */
export interface Bounds {
  readonly lower: Uint8Array;
  /** Absent where nothing is known to be above all values. */
  readonly upper: Uint8Array | undefined;
}

/** Bounds of times in microseconds. */
export const timeBounds = ([least, most]: readonly [string, string]): Bounds => ({ lower: int64(least), upper: int64(most) });

const int64 = (value: string): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
};

/** Bounds of UUIDs as text. */
export const uuidBounds = ([least, most]: readonly [string, string]): Bounds => ({ lower: uuid(least), upper: uuid(most) });

const uuid = (text: string): Uint8Array => Buffer.from(text.replaceAll("-", ""), "hex");

/** From this code unit on the order of code units, which is ours, is not that of UTF-8 bytes, which is the format's. */
const SURROGATES = 0xd800;
const BEHIND_SURROGATES = 0xe000;

/**
 * Bounds of texts from the least and the greatest by code units, each cut to `MAX_BOUND_LENGTH` characters. As far as both orders agree a bound
 * stays as it is; behind that, and where it was cut, the upper one becomes the next text above all that begin so.
 */
export const textBounds = ([least, most]: readonly [string, string]): Bounds => {
  const end = agreement(most);
  const isWhole = end === most.length && most.length < MAX_BOUND_LENGTH;
  return { lower: Buffer.from(least.slice(0, agreement(least))), upper: isWhole ? Buffer.from(most) : above(most.slice(0, end)) };
};

/** How many code units stand before the first one that the two orders place differently. */
const agreement = (text: string): number => {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= SURROGATES) return at;
  return text.length;
};

const above = (text: string): Uint8Array | undefined => {
  if (text === "") return undefined;
  const next = text.charCodeAt(text.length - 1) + 1;
  return Buffer.from(text.slice(0, -1) + String.fromCharCode(next === SURROGATES ? BEHIND_SURROGATES : next));
};
