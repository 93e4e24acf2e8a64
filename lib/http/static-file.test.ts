import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { aRequest } from "../../test/support/worlds/api-world.ts";
import { FOR_EVER, sendStatic, staticFile } from "./static-file.ts";

const plain = Buffer.from("export const answer = 42;\n".repeat(100));
const brotli = brotliCompressSync(plain);

const sent = async (accepted: string, compressed?: Uint8Array) => {
  const request = aRequest("GET", "/a.js", { headers: { "accept-encoding": accepted } });
  const { headers, body } = sendStatic(request, await staticFile(plain, compressed), { mediaType: "text/javascript", caching: FOR_EVER });
  return { encoding: headers["content-encoding"], vary: headers.vary, body: Buffer.from(body) };
};

const asIs = (body: Buffer): Buffer => body;

it.each([
  ["Brotli where the file has it and the client reads it", "gzip, deflate, br, zstd", brotli, "br", brotliDecompressSync],
  ["gzip where the client reads no Brotli", "gzip, deflate", brotli, "gzip", gunzipSync],
  ["gzip where the file has no Brotli", "gzip, deflate, br", undefined, "gzip", gunzipSync],
  ["the file itself where the client names no compression", "identity", brotli, undefined, asIs],
])("sends %s", async (_, accepted, compressed, encoding, decompress) => {
  const reply = await sent(accepted, compressed);
  expect(reply).toMatchObject({ encoding, vary: "accept-encoding" });
  expect(decompress(reply.body)).toEqual(plain);
});
