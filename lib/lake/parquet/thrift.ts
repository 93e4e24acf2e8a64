import type { ByteWriter } from "hyparquet-writer";

/** A value of Thrift's compact protocol: numbers are 32-bit integers, bigints are 64-bit ones, both signed. */
export type Thrift = boolean | number | bigint | string | Uint8Array | readonly Thrift[] | ThriftStruct;

/** Values by the numbers of their fields, at most 15 apart, which objects keep in ascending order; what is undefined is left out. */
export interface ThriftStruct {
  readonly [field: string]: Thrift | undefined;
}

const TYPE = { true: 1, false: 2, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;

const STOP = 0;

/** Lists of more say so, and how long they are in bytes of their own. */
const LONGEST_SHORT_LIST = 14;

export const appendStruct = (writer: ByteWriter, struct: ThriftStruct): void => {
  let before = 0;
  for (const [name, value] of Object.entries(struct)) {
    if (value === undefined) continue;
    const field = Number(name);
    writer.appendUint8(((field - before) << 4) | wireType(value));
    appendValue(writer, value);
    before = field;
  }
  writer.appendUint8(STOP);
};

const wireType = (value: Thrift): number => {
  if (typeof value === "boolean") return value ? TYPE.true : TYPE.false;
  if (typeof value === "number") return TYPE.i32;
  if (typeof value === "bigint") return TYPE.i64;
  if (typeof value === "string" || value instanceof Uint8Array) return TYPE.binary;
  return isList(value) ? TYPE.list : TYPE.struct;
};

const isList = (value: readonly Thrift[] | ThriftStruct): value is readonly Thrift[] => Array.isArray(value);

const appendValue = (writer: ByteWriter, value: Thrift): void => {
  // A field's type says already whether it is true.
  if (typeof value === "boolean") return;
  if (typeof value === "number" || typeof value === "bigint") writer.appendZigZag(value);
  else if (typeof value === "string") appendBinary(writer, Buffer.from(value));
  else if (value instanceof Uint8Array) appendBinary(writer, value);
  else if (isList(value)) appendList(writer, value);
  else appendStruct(writer, value);
};

const appendBinary = (writer: ByteWriter, bytes: Uint8Array): void => {
  writer.appendVarInt(bytes.length);
  writer.appendBytes(bytes);
};

/** A list's values are of one type, and no booleans. */
const appendList = (writer: ByteWriter, values: readonly Thrift[]): void => {
  const [first] = values;
  const type = first === undefined ? STOP : wireType(first);
  writer.appendUint8((Math.min(values.length, LONGEST_SHORT_LIST + 1) << 4) | type);
  if (values.length > LONGEST_SHORT_LIST) writer.appendVarInt(values.length);
  for (const value of values) appendValue(writer, value);
};
