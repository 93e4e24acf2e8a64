import { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { UserError } from "../../local/user-error.ts";
import { chunksOf, type Source } from "./sources.ts";

export type Compression = "none" | "gzip" | "zstd";

const MAGIC: readonly { readonly compression: Compression; readonly bytes: readonly number[] }[] = [
  { compression: "gzip", bytes: [0x1f, 0x8b] },
  { compression: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
];

/** How a file is compressed, by its first bytes: names are no promise. */
export const compressionOf = (head: Uint8Array): Compression =>
  MAGIC.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))?.compression ?? "none";

const CHUNK_BYTES = 1024 * 1024;

/** A file's content as it comes. */
export interface Content {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes of the file itself that were read so far. */
  consumed(): number;
}

/**
 * The decompressed bytes of a file from a place in them on. What is not compressed is read from there; of what is, everything before
 * is decompressed and passed over, which costs a hundredth of what importing it did.
 */
export const contentOf = (source: Source, compression: Compression, from: number): Content => {
  let consumed = compression === "none" ? from : 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(source, consumed)) {
      consumed += chunk.length;
      yield chunk;
    }
  }
  return { chunks: compression === "none" ? counted() : decompressed(source, compression, counted(), from), consumed: () => consumed };
};

async function* decompressed(
  source: Source,
  compression: "gzip" | "zstd",
  bytes: AsyncIterable<Uint8Array>,
  from: number,
): AsyncGenerator<Uint8Array> {
  const decoder = compression === "gzip" ? createGunzip({ chunkSize: CHUNK_BYTES }) : createZstdDecompress({ chunkSize: CHUNK_BYTES });
  const compressedBytes = Readable.from(bytes);
  compressedBytes.on("error", (fault) => decoder.destroy(fault));
  compressedBytes.pipe(decoder);
  let passed = 0;
  try {
    for await (const chunk of decoder) {
      const bytesOf: Uint8Array = chunk;
      const skip = Math.min(Math.max(0, from - passed), bytesOf.length);
      passed += bytesOf.length;
      if (skip < bytesOf.length) yield bytesOf.subarray(skip);
    }
  } catch (fault) {
    if (fault instanceof UserError) throw fault;
    const reason = fault instanceof Error ? fault.message : String(fault);
    throw new UserError(
      `${source.name} is damaged after ${passed} bytes of its content (${reason}). What stands before is imported; repair the file and give the same command again.`,
    );
  } finally {
    compressedBytes.destroy();
  }
}
