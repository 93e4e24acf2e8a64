import { Unreachable } from "./unreachable.ts";

const MAGIC = Buffer.from("PAR1");

/** Twice the mark, and the length of the footer. */
const LEAST_BYTES = 12;

/** The bytes of a file of Parquet as they come. Throws `Unreachable` where they end before its footer does. */
export async function* wholeParquet(bytes: AsyncIterable<Buffer>, queryId: string): AsyncGenerator<Buffer> {
  let [head, tail, length] = [Buffer.alloc(0), Buffer.alloc(0), 0];
  for await (const chunk of bytes) {
    head = Buffer.concat([head, chunk.subarray(0, MAGIC.length - head.length)]);
    tail = Buffer.concat([tail, chunk.subarray(-MAGIC.length)]).subarray(-MAGIC.length);
    length += chunk.length;
    yield chunk;
  }
  const isWhole = length >= LEAST_BYTES && head.equals(MAGIC) && tail.equals(MAGIC);
  if (!isWhole) throw new Unreachable(`the answer to query ${queryId} is no whole file of Parquet`);
}
