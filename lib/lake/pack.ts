import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { Defect } from "../core/unreachable.ts";

/** Below this many bytes compression saves less than it costs: an item of up to 1 KB is one write unit anyway. */
const WORTH_PACKING = 800;

const PLAIN = 0;
const ZSTD = 1;

/** JSON as bytes, compressed where that is worth it; the first byte says how. */
export const pack = (value: unknown): Uint8Array => {
  const text = Buffer.from(JSON.stringify(value));
  const packed = text.length < WORTH_PACKING ? text : zstdCompressSync(text);
  const bytes = new Uint8Array(packed.length + 1);
  bytes[0] = packed === text ? PLAIN : ZSTD;
  bytes.set(packed, 1);
  return bytes;
};

/** The value that `pack` was given. Only for bytes that this program wrote. */
export const unpack = (bytes: Uint8Array): unknown => {
  const body = bytes.subarray(1);
  if (bytes[0] === PLAIN) return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
  if (bytes[0] === ZSTD) return JSON.parse(zstdDecompressSync(body).toString("utf8"));
  throw new Defect(`a catalogue entry is packed in an unknown way: ${bytes[0]}`);
};
