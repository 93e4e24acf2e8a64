import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { unreachable } from "../core/unreachable.ts";
import type { Encoding } from "./message.ts";

/** Largest JSON text of one request, after every decoder. */
export const MAX_DECODED_BYTES = 32 * 1024 * 1024;

const MIN_CHUNK_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** What analytics JSON shrinks by at most in practice. */
const LIKELY_RATIO = 12;
/** Bytes at the end of a gzip member that say how long its text is, modulo 4 GB; it may lie. */
const SAID_BYTES = 4;

/** The JSON text of a payload, at most `most` bytes; throws the decoder's own error for more or for broken bytes. */
export const decompress = (encoding: Encoding, bytes: Uint8Array, most = MAX_DECODED_BYTES): Uint8Array => {
  switch (encoding) {
    case "none":
      return bytes;
    case "gzip":
      return gunzipSync(bytes, { maxOutputLength: most, chunkSize: chunkSizeFor(bytes, saidLength(bytes) + 1) });
    case "zstd":
      return zstdDecompressSync(bytes, { maxOutputLength: most, chunkSize: chunkSizeFor(bytes, MAX_CHUNK_BYTES) });
    default:
      return unreachable(encoding);
  }
};

const saidLength = (bytes: Uint8Array): number => {
  const { length } = bytes;
  return length < SAID_BYTES ? 0 : new DataView(bytes.buffer, bytes.byteOffset, length).getUint32(length - SAID_BYTES, true);
};

/**
 * Large enough that an ordinary body comes out in one piece, small enough that a lie costs nothing; and no larger than needed, because
 * whatever is taken outside of the heap makes the collector go through all of it the sooner.
 */
const chunkSizeFor = ({ byteLength }: Uint8Array, wanted: number): number =>
  Math.max(Math.min(wanted, byteLength * LIKELY_RATIO, MAX_CHUNK_BYTES), MIN_CHUNK_BYTES);
