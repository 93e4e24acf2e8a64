import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { HttpReply, HttpRequest } from "./request.ts";

/** A file as it is sent. */
export interface StaticFile {
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly gzipped: Uint8Array;
  /** Smaller by an eighth, and too slow to make while somebody waits: only where it was made before. */
  readonly brotli?: Uint8Array;
}

/** Compresses a file and names its content. */
export const staticFile = async (plain: Uint8Array, brotli?: Uint8Array): Promise<StaticFile> => {
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { etag, plain, gzipped: await promisify(gzip)(plain), ...(brotli && { brotli }) };
};

/** For what an address names by its exact version or content: it never changes. */
export const FOR_EVER = "public, max-age=31536000, immutable";

/** The file, compressed where the client reads that; 304 where the client has it. */
export const sendStatic = (
  request: HttpRequest,
  file: StaticFile,
  { mediaType, caching }: { readonly mediaType: string; readonly caching: string },
): HttpReply => {
  const headers = { "cache-control": caching, etag: file.etag, vary: "accept-encoding" };
  if (holds(request.headers["if-none-match"], file.etag)) return { status: 304, headers, body: "" };
  const { encoding, body } = encoded(file, request.headers["accept-encoding"] ?? "");
  return {
    status: 200,
    headers: { ...headers, "content-type": mediaType, ...(encoding && { "content-encoding": encoding }) },
    body,
  };
};

const encoded = ({ plain, gzipped, brotli }: StaticFile, accepted: string): { readonly encoding?: string; readonly body: Uint8Array } => {
  if (brotli && /\bbr\b/.test(accepted)) return { encoding: "br", body: brotli };
  return /\bgzip\b/.test(accepted) ? { encoding: "gzip", body: gzipped } : { body: plain };
};

const holds = (asked: string | undefined, etag: string): boolean =>
  asked?.split(",").some((each) => each.trim().replace(/^W\//, "") === etag || each.trim() === "*") ?? false;
