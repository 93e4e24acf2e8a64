import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { unreachable } from "../core/unreachable.ts";
import type { Encoding } from "./message.ts";

/** Largest JSON text of one request, after every decoder. */
export const MAX_DECODED_BYTES = 32 * 1024 * 1024;

const MIN_CHUNK_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** What analytics JSON shrinks by at most in practice; only the first guess of a buffer's size depends on it. */
const LIKELY_RATIO = 12;

/** The JSON text of a payload, at most `most` bytes; throws the decoder's own error for more or for broken bytes. */
export const decompress = (encoding: Encoding, bytes: Uint8Array, most = MAX_DECODED_BYTES): Uint8Array => {
  switch (encoding) {
    case "none":
      return bytes;
    case "gzip":
      return gunzipSync(bytes, { maxOutputLength: most, chunkSize: chunkSizeFor(bytes) });
    case "zstd":
      return zstdDecompressSync(bytes, { maxOutputLength: most, chunkSize: chunkSizeFor(bytes) });
    default:
      return unreachable(encoding);
  }
};

/** Large enough that an ordinary body comes out in one piece, small enough that a lie costs nothing. */
const chunkSizeFor = (bytes: Uint8Array): number => Math.min(Math.max(bytes.byteLength * LIKELY_RATIO, MIN_CHUNK_BYTES), MAX_CHUNK_BYTES);
