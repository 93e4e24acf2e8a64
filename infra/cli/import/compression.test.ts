import { hash } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { UserError } from "../../local/user-error.ts";
import { compressionOf, contentOf } from "./compression.ts";
import type { Source } from "./sources.ts";

const read = async (content: Uint8Array, from = 0): Promise<Buffer> => {
  const source: Source = { name: "events.jsonl.zst", bytes: content.length, read: async (first, end) => content.subarray(first, end) };
  const chunks: Uint8Array[] = [];
  for await (const chunk of contentOf(source, compressionOf(content), from).chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Bytes that do not get smaller, so that pieces begin and end anywhere in what is read at once. */
const noise = (bytes: number): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(bytes / 64) }, (_, at) => hash("sha512", `${bytes} ${at}`, "buffer"))).subarray(0, bytes);

it.each([
  ["gzip", gzipSync],
  ["zstd", zstdCompressSync],
] as const)("every piece of a file that was put together of several is read: %s", async (_, compress) => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 600_000 })), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(700_000), async (some, from) => {
      const pieces = some.map(noise);
      const found = await read(Buffer.concat(pieces.map((piece) => compress(piece))), from);
      expect(found.equals(Buffer.concat(pieces).subarray(from))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it("one that ends too early is said to be damaged", async () => {
  const whole = zstdCompressSync(Buffer.from("some text".repeat(1_000)));
  await expect(read(whole.subarray(0, whole.length - 3))).rejects.toThrow(UserError);
  await expect(read(Buffer.concat([whole, whole.subarray(0, 9)]))).rejects.toThrow(UserError);
});
