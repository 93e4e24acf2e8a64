import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import avsc, { type Schema, type Type } from "avsc";
import { Defect } from "../../core/unreachable.ts";

/** An Avro schema as JSON. Attributes that Avro does not know, such as `field-id`, are kept in the file. */
export type AvroSchema = Exclude<Schema, Type>;

/** A file of Avro records as it was read. */
export interface AvroFile {
  readonly metadata: Readonly<Record<string, string>>;
  readonly records: readonly unknown[];
}

const MAGIC = Buffer.from("Obj\u0001", "latin1");
const SYNC_BYTES = 16;

/** The container's own header, in Avro itself. */
const HEADER = avsc.Type.forSchema({
  type: "record",
  name: "org.apache.avro.file.Header",
  fields: [
    { name: "magic", type: { type: "fixed", name: "Magic", size: MAGIC.length } },
    { name: "meta", type: { type: "map", values: "bytes" } },
    { name: "sync", type: { type: "fixed", name: "Sync", size: SYNC_BYTES } },
  ],
});
const LONG = avsc.Type.forSchema("long");

/** Records per block: readers take a block at a time. */
const BLOCK_RECORDS = 1_000;

/**
 * An object container file of records. By hand but for the values, because the library's own writer is a stream that drops attributes
 * it does not know. `name` makes the marker between blocks, so that equal input makes equal bytes.
 */
export const avroFile = (
  schema: AvroSchema,
  metadata: Readonly<Record<string, string>>,
  records: readonly unknown[],
  name: string,
): Uint8Array => {
  const type = avsc.Type.forSchema(schema);
  const sync = createHash("md5").update(name).digest();
  const meta = { ...metadata, "avro.schema": JSON.stringify(schema), "avro.codec": "deflate" };
  const entries = Object.entries(meta).map(([key, value]): [string, Buffer] => [key, Buffer.from(value)]);
  const parts: Buffer[] = [HEADER.toBuffer({ magic: MAGIC, meta: Object.fromEntries(entries), sync })];
  for (let from = 0; from < records.length; from += BLOCK_RECORDS) {
    const block = records.slice(from, from + BLOCK_RECORDS);
    const packed = deflateRawSync(Buffer.concat(block.map((record) => type.toBuffer(record))));
    parts.push(LONG.toBuffer(block.length), LONG.toBuffer(packed.length), packed, sync);
  }
  return Buffer.concat(parts);
};

/** What `avroFile` wrote. */
export const readAvroFile = (bytes: Uint8Array): AvroFile => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { value: header, offset } = HEADER.decode(file, 0);
  if (offset < 0 || !MAGIC.equals(header.magic)) throw new Defect("a published file is no Avro container");
  const metadata: Record<string, string> = {};
  for (const [key, value] of Object.entries<Buffer>(header.meta)) metadata[key] = value.toString("utf8");
  const type = avsc.Type.forSchema(JSON.parse(metadata["avro.schema"] ?? "null"));
  const records: unknown[] = [];
  for (let at = offset; at < file.length; ) {
    const count = LONG.decode(file, at);
    const length = LONG.decode(file, count.offset);
    const end = length.offset + Number(length.value);
    const block = inflateRawSync(file.subarray(length.offset, end));
    let place = 0;
    for (let left = Number(count.value); left > 0; left -= 1) {
      const record = type.decode(block, place);
      records.push(record.value);
      place = record.offset;
    }
    at = end + SYNC_BYTES;
  }
  return { metadata, records };
};
