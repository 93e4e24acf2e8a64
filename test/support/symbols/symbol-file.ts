import { hash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { Built } from "./shop-bundle.ts";

const MAGIC = Buffer.from("posthog_error_tracking");

/** Kinds of symbol files. */
export const SOURCE_AND_MAP = 2;
export const HERMES_MAP = 3;

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const part = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
};

/** A file as the command line tool makes it: of version 2 it is compressed. */
export const symbolFile = (type: number, payload: Buffer, version: 1 | 2 = 2): Buffer =>
  Buffer.concat([MAGIC, number(version), number(type), ...(version === 1 ? [payload] : [Buffer.from([1]), zstdCompressSync(payload)])]);

export const sourceAndMap = ({ code, map }: Built, version: 1 | 2 = 2): Buffer =>
  symbolFile(SOURCE_AND_MAP, Buffer.concat([part(code), part(map)]), version);

export const hermesMap = (map: string): Buffer => symbolFile(HERMES_MAP, Buffer.from(map));

export const contentHash = (file: Buffer): string => hash("sha512", file, "hex");
