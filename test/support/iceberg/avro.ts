import { inflateRawSync } from "node:zlib";

/** An Avro schema as its files carry it. */
type Schema = string | readonly Schema[] | { readonly type: Schema; readonly [attribute: string]: unknown };

/** The records of an object container file with its metadata, read by the format's definition and by nothing of the product. */
export const readContainer = (bytes: Uint8Array): { readonly metadata: Readonly<Record<string, string>>; readonly records: unknown[] } => {
  const file = cursor(Buffer.from(bytes));
  if (file.take(4).toString("latin1") !== "Obj\u0001") throw new Error("no Avro container");
  const metadata: Record<string, string> = {};
  for (let count = file.long(); count !== 0; count = file.long())
    for (; count > 0; count -= 1) metadata[file.take(file.long()).toString()] = file.take(file.long()).toString();
  const sync = file.take(16);
  const schema: Schema = JSON.parse(metadata["avro.schema"] ?? "");
  const records: unknown[] = [];
  while (!file.isAtEnd()) {
    const count = file.long();
    const packed = file.take(file.long());
    const block = cursor(metadata["avro.codec"] === "deflate" ? inflateRawSync(packed) : packed);
    for (let left = count; left > 0; left -= 1) records.push(read(block, schema));
    if (!block.isAtEnd() || !file.take(16).equals(sync)) throw new Error("a block of an Avro container is torn");
  }
  return { metadata, records };
};

interface Cursor {
  take(bytes: number): Buffer;
  long(): number;
  isAtEnd(): boolean;
}

const cursor = (bytes: Buffer): Cursor => {
  let at = 0;
  return {
    take(count) {
      at += count;
      if (at > bytes.length) throw new Error("an Avro file ends too soon");
      return bytes.subarray(at - count, at);
    },
    long() {
      let [value, shift] = [0n, 0n];
      for (;;) {
        const byte = BigInt(bytes[at++] ?? 0);
        value |= (byte & 0x7fn) << shift;
        if (byte < 0x80n) return Number((value >> 1n) ^ -(value & 1n));
        shift += 7n;
      }
    },
    isAtEnd: () => at >= bytes.length,
  };
};

const read = (from: Cursor, schema: Schema): unknown => {
  if (Array.isArray(schema)) return read(from, schema[from.long()] ?? "null");
  if (typeof schema === "string") return readPrimitive(from, schema);
  const { type, fields, items } = schema as { type: Schema; fields?: readonly { name: string; type: Schema }[]; items?: Schema };
  if (type === "record") return Object.fromEntries((fields ?? []).map((field) => [field.name, read(from, field.type)]));
  if (type !== "array") return read(from, type);
  const list: unknown[] = [];
  for (let count = from.long(); count !== 0; count = from.long()) for (; count > 0; count -= 1) list.push(read(from, items ?? "null"));
  return list;
};

const readPrimitive = (from: Cursor, type: string): unknown => {
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return from.take(1)[0] === 1;
    case "int":
    case "long":
      return from.long();
    case "bytes":
      return from.take(from.long());
    case "string":
      return from.take(from.long()).toString();
    default:
      throw new Error(`no reader of Avro's ${type}`);
  }
};
