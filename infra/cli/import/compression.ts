import { Readable } from "node:stream";
import { createGunzip, createZstdDecompress, type ZstdDecompress } from "node:zlib";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
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
  let passed = 0;
  try {
    for await (const chunk of compression === "gzip" ? gunzipped(bytes) : framesOf(bytes)) {
      const skip = Math.min(Math.max(0, from - passed), chunk.length);
      passed += chunk.length;
      if (skip < chunk.length) yield chunk.subarray(skip);
    }
  } catch (fault) {
    if (fault instanceof UserError) throw fault;
    const reason = thrownMessage(fault);
    throw new UserError(
      `${source.name} is damaged after ${passed} bytes of its content (${reason}). An import takes what stands before that; repair the file and give the same command again.`,
    );
  }
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = createGunzip({ chunkSize: CHUNK_BYTES });
  const compressed = Readable.from(bytes);
  compressed.on("error", (fault) => decoder.destroy(fault)).pipe(decoder);
  try {
    for await (const chunk of decoder) yield chunk;
  } finally {
    compressed.destroy();
  }
}

/** Every frame of zstd: files that were put together, or written by several threads, have many, and Node's decoder ends with the first. */
async function* framesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = bytes[Symbol.asyncIterator]();
  /** What was read and not decompressed. */
  let left: Uint8Array = new Uint8Array();
  const next = async (): Promise<boolean> => {
    const { done, value } = await input.next();
    if (done !== true) left = value;
    return done !== true;
  };
  /** Gives a decoder one piece after the other, until it leaves something: that is of the next frame. */
  const fill = async (decoder: ZstdDecompress): Promise<void> => {
    do {
      const before = decoder.bytesWritten;
      await writing(decoder, left);
      left = left.subarray(decoder.bytesWritten - before);
      if (left.length > 0) return;
    } while (await next());
    decoder.end();
  };
  try {
    let hasMore = await next();
    while (hasMore) {
      const decoder = createZstdDecompress({ chunkSize: CHUNK_BYTES });
      const filling = fill(decoder);
      filling.catch((fault: unknown) => decoder.destroy(fault instanceof Error ? fault : new Error(String(fault))));
      for await (const chunk of decoder) yield chunk;
      await filling;
      hasMore = left.length > 0;
    }
  } finally {
    await input.return?.();
  }
}

const writing = (decoder: ZstdDecompress, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    decoder.write(piece, (fault) => (fault ? reject(fault) : resolve()));
  });
