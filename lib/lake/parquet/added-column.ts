import { ByteWriter } from "hyparquet-writer";
import { type Chunk, columnChunk, schemaElement } from "./parquet-metadata.ts";
import { appendStruct, type ThriftStruct } from "./thrift.ts";

/** Types of values in Thrift's compact protocol, as far as they differ in their length. */
const TYPE = { true: 1, false: 2, byte: 3, double: 7, binary: 8, list: 9, set: 10, map: 11, struct: 12 } as const;

/** Fields of the format's own definition: of the whole file, of the schema's root and of a row group. */
const FILE = { schema: 2, groups: 4, orders: 7 } as const;
const ROOT_CHILDREN = 5;
const GROUP_COLUMNS = 1;

/** Lists of more say so, and how long they are in bytes of their own. */
const LONGEST_SHORT_LIST = 14;

/** Bytes that take the place of others. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/**
 * A file's metadata with one more column, whose chunks lie in it already, one for each row group. All else that the metadata say stays as it
 * is, byte by byte, whoever wrote them and whatever fields they have.
 */
export const withColumn = (metadata: Uint8Array, chunks: readonly Chunk[]): Uint8Array => {
  const [first] = chunks;
  if (first === undefined) return metadata;
  const edits: Edit[] = [];
  const at = cursor(metadata);
  at.fields((field) => {
    if (field === FILE.schema) edits.push(...at.longerList(encoded(schemaElement(first.column)), () => edits.push(...rootEdits(at))));
    else if (field === FILE.groups) {
      let group = 0;
      at.list(() => {
        const chunk = chunks[group++];
        at.fields((inner) => {
          if (inner !== GROUP_COLUMNS || chunk === undefined) return false;
          edits.push(...at.longerList(encoded(columnChunk(chunk))));
          return true;
        });
      });
    } else if (field === FILE.orders) edits.push(...at.longerList(encoded({ 1: {} })));
    else return false;
    return true;
  });
  return edited(metadata, edits);
};

/** The number of children that the schema's first element says, made one more. */
const rootEdits = (at: Cursor): readonly Edit[] => {
  const edits: Edit[] = [];
  at.fields((field) => {
    if (field !== ROOT_CHILDREN) return false;
    const from = at.place();
    const count = at.varint();
    edits.push({ from, to: at.place(), bytes: varint(count + 2) });
    return true;
  });
  return edits;
};

const edited = (bytes: Uint8Array, edits: readonly Edit[]): Uint8Array => {
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    parts.push(bytes.subarray(end, edit.from), edit.bytes);
    end = edit.to;
  }
  return Buffer.concat([...parts, bytes.subarray(end)]);
};

const encoded = (struct: ThriftStruct): Uint8Array => {
  const writer = new ByteWriter();
  appendStruct(writer, struct);
  return writer.getBytes();
};

/** An unsigned number; a signed one is twice as large, so one more of it is two more here. */
const varint = (value: number): Uint8Array => {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Uint8Array.from([...bytes, left]);
};

type Cursor = ReturnType<typeof cursor>;

/** Walks over encoded values from the first byte on. */
const cursor = (bytes: Uint8Array) => {
  let place = 0;
  const byte = (): number => bytes[place++] ?? 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const next = byte();
      value += (next & 127) * factor;
      if (next < 128) return value;
    }
  };

  /** Walks over a struct; `take` says whether it walked over a field's value itself. */
  const fields = (take: (field: number) => boolean): void => {
    for (let field = 0; ; ) {
      const header = byte();
      if (header === 0) return;
      const delta = header >> 4;
      field = delta === 0 ? number() / 2 : field + delta;
      if (!take(field)) skip(header & 15);
    }
  };

  const listHeader = (): { readonly type: number; readonly size: number } => {
    const header = byte();
    const short = header >> 4;
    return { type: header & 15, size: short > LONGEST_SHORT_LIST ? number() : short };
  };

  /** Walks over a list of structs. */
  const list = (each: (at: number) => void): void => {
    const { size } = listHeader();
    for (let at = 0; at < size; at += 1) each(at);
  };

  const skip = (type: number): void => {
    switch (type) {
      case TYPE.true:
      case TYPE.false:
        return;
      case TYPE.byte:
        place += 1;
        return;
      case TYPE.double:
        place += 8;
        return;
      case TYPE.binary: {
        const length = number();
        place += length;
        return;
      }
      case TYPE.list:
      case TYPE.set: {
        const { type: of, size } = listHeader();
        for (let at = 0; at < size; at += 1) skipElement(of);
        return;
      }
      case TYPE.map: {
        const size = number();
        const types = size === 0 ? 0 : byte();
        for (let at = 0; at < size; at += 1) {
          skipElement(types >> 4);
          skipElement(types & 15);
        }
        return;
      }
      case TYPE.struct:
        fields(() => false);
        return;
      default:
        number();
    }
  };

  /** Only as a field a boolean is in its type. */
  const skipElement = (type: number): void => {
    if (type === TYPE.true || type === TYPE.false) place += 1;
    else skip(type);
  };

  return {
    place: () => place,
    varint: number,
    fields,
    list,
    /** Walks over a list of structs and gives what makes it one element longer; `first` walks over its first element. */
    longerList(element: Uint8Array, first?: () => void): readonly Edit[] {
      const from = place;
      const { type, size } = listHeader();
      const to = place;
      for (let at = 0; at < size; at += 1) {
        if (at === 0 && first) first();
        else skip(type);
      }
      const short = size + 1 <= LONGEST_SHORT_LIST;
      const header = short ? Uint8Array.of(((size + 1) << 4) | type) : Uint8Array.from([0xf0 | type, ...varint(size + 1)]);
      return [
        { from, to, bytes: header },
        { from: place, to: place, bytes: element },
      ];
    },
  };
};
