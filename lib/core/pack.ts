import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { Defect } from "./unreachable.ts";

/** An item of the table is paid by the kilobyte, so it is worth compressing from about there on. */
const ITEM_WORTH_PACKING = 800;
/** An object is paid by the request. */
export const OBJECT_WORTH_PACKING = 8_000;

const PLAIN = 0;
const ZSTD = 1;

/** JSON as bytes, compressed from `worth` bytes on; the first byte says how. */
export const pack = (value: unknown, worth = ITEM_WORTH_PACKING): Uint8Array => packSized(value, worth).bytes;

/** The same, with the length of the JSON. */
export const packSized = (value: unknown, worth: number): { readonly bytes: Uint8Array; readonly length: number } => {
  const text = Buffer.from(JSON.stringify(value));
  const packed = text.length < worth ? text : zstdCompressSync(text);
  const bytes = new Uint8Array(packed.length + 1);
  bytes[0] = packed === text ? PLAIN : ZSTD;
  bytes.set(packed, 1);
  return { bytes, length: text.length };
};

/** The value that `pack` was given. Only for bytes that this program wrote. */
export const unpack = (bytes: Uint8Array): unknown => unpackSized(bytes).value;

/** The same, with the length of the JSON. */
export const unpackSized = (bytes: Uint8Array): { readonly value: unknown; readonly length: number } => {
  const text = unpackedText(bytes);
  return { value: JSON.parse(text.toString("utf8")), length: text.length };
};

const unpackedText = (bytes: Uint8Array): Buffer => {
  const body = bytes.subarray(1);
  if (bytes[0] === PLAIN) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes[0] === ZSTD) return zstdDecompressSync(body);
  throw new Defect(`a catalogue entry is packed in an unknown way: ${bytes[0]}`);
};
