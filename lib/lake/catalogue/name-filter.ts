import { hash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Bits of a filter, and bits that each name sets: at 50,000 names one of a hundred others is taken for one of them. */
const BITS = 2 ** 19;
const PROBES = 4;

/** A set of names that takes 64 KB however many there are: it never denies one of its names, and seldom claims another. */
export interface NameFilter {
  /** Null: no name is in it. */
  readonly bits: Uint8Array | null;
}

export const EMPTY_FILTER: NameFilter = Object.freeze({ bits: null });

export const mayHold = ({ bits }: NameFilter, name: string): boolean =>
  bits !== null && filterPlaces(name).every((place) => ((bits[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0);

export const withNames = ({ bits }: NameFilter, names: readonly string[]): NameFilter => {
  if (names.length === 0) return { bits };
  const next = bits === null ? new Uint8Array(BITS / 8) : bits.slice();
  for (const place of names.flatMap(filterPlaces)) next[place >>> 3] = (next[place >>> 3] ?? 0) | (1 << (place & 7));
  return { bits: next };
};

/** Few names take few bytes. */
export const encodeFilter = ({ bits }: NameFilter): Uint8Array | undefined =>
  bits === null ? undefined : new Uint8Array(zstdCompressSync(bits));

export const decodeFilter = (stored: unknown): NameFilter =>
  stored instanceof Uint8Array ? { bits: new Uint8Array(zstdDecompressSync(stored)) } : EMPTY_FILTER;

const filterPlaces = (name: string): readonly number[] => {
  const digest = hash("sha1", name, "buffer");
  return Array.from({ length: PROBES }, (_, at) => digest.readUInt32LE(at * 4) % BITS);
};
