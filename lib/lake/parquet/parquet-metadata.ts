import type { Column, ColumnPages, Page } from "./parquet-pages.ts";
import type { ThriftStruct } from "./thrift.ts";

/**
 * What a file says of itself, in the fields and numbers of the format's own definition (`parquet.thrift`): only what the columns here
 * need.
 */

const PHYSICAL_TYPE: Readonly<Record<Column["kind"], number>> = {
  boolean: 0,
  int32: 1,
  int64: 2,
  timestamp: 2,
  double: 5,
  utf8: 6,
  uuid: 7,
};

const LOGICAL_TYPE: Readonly<Partial<Record<Column["kind"], ThriftStruct>>> = {
  uuid: { 14: {} },
  // Of UTC, in microseconds.
  timestamp: { 8: { 1: true, 2: { 2: {} } } },
};

const REPETITION = { required: 0, optional: 1 } as const;
const CONVERTED_UTF8 = 0;
const UUID_BYTES = 16;
const CODEC = { none: 0, zstd: 6 } as const;
const ENCODING = { plain: 0, dictionary: 8 } as const;
const PAGE = { dictionary: 2, dataV2: 3 } as const;

const isOptional = (column: Column): boolean => column.kind === "double" || (column.kind === "utf8" && column.nullable);

export const schemaElement = (column: Column): ThriftStruct => ({
  1: PHYSICAL_TYPE[column.kind],
  2: column.kind === "uuid" ? UUID_BYTES : undefined,
  3: isOptional(column) ? REPETITION.optional : REPETITION.required,
  4: column.name,
  6: column.kind === "utf8" ? CONVERTED_UTF8 : undefined,
  9: column.fieldId,
  10: LOGICAL_TYPE[column.kind],
});

/** The header before a dictionary's values, of which `packed` is what is stored. */
export const dictionaryHeader = ({ entries, bytes }: NonNullable<ColumnPages["dictionary"]>, packed: Uint8Array): ThriftStruct => ({
  1: PAGE.dictionary,
  2: bytes.length,
  3: packed.length,
  7: { 1: entries, 2: ENCODING.plain },
});

/** How the values of a chunk are stored. */
interface Storage {
  readonly hasDictionary: boolean;
  readonly compressed: boolean;
}

/** The header before a page's levels and values, of which `packed` is what is stored of the values. */
export const pageHeader = (
  { rows, nulls, levels, values }: Page,
  packed: Uint8Array,
  { hasDictionary, compressed }: Storage,
): ThriftStruct => ({
  1: PAGE.dataV2,
  2: levels.length + values.length,
  3: levels.length + packed.length,
  8: {
    1: rows,
    2: nulls,
    3: rows,
    4: hasDictionary ? ENCODING.dictionary : ENCODING.plain,
    5: levels.length,
    6: 0,
    // What is not said is compressed.
    7: compressed ? undefined : false,
  },
});

/** One column of a row group, as it lies in the file: offsets and lengths in bytes, with the headers of its pages. */
export interface Chunk extends Storage {
  readonly column: Column;
  readonly rows: number;
  readonly offset: number;
  readonly firstPage: number;
  readonly bytes: number;
  readonly uncompressedBytes: number;
  readonly range: { readonly least: bigint; readonly most: bigint } | undefined;
}

export const columnChunk = (chunk: Chunk): ThriftStruct => ({
  2: BigInt(chunk.offset),
  3: {
    1: PHYSICAL_TYPE[chunk.column.kind],
    2: chunk.hasDictionary ? [ENCODING.plain, ENCODING.dictionary] : [ENCODING.plain],
    3: [chunk.column.name],
    4: chunk.compressed ? CODEC.zstd : CODEC.none,
    5: BigInt(chunk.rows),
    6: BigInt(chunk.uncompressedBytes),
    7: BigInt(chunk.bytes),
    9: BigInt(chunk.firstPage),
    11: chunk.hasDictionary ? BigInt(chunk.offset) : undefined,
    // No nulls.
    12: chunk.range && { 3: 0n, 5: int64(chunk.range.most), 6: int64(chunk.range.least) },
  },
});

const int64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
};

export interface Group {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
}

const rowGroup = ({ rows, chunks }: Group): ThriftStruct => ({
  1: chunks.map(columnChunk),
  2: BigInt(chunks.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0)),
  3: BigInt(rows),
});

/** The metadata that end a file, without the bytes after it. */
export const fileMetadata = (
  columns: readonly Column[],
  groups: readonly Group[],
  keys: Readonly<Record<string, string>>,
): ThriftStruct => ({
  1: 2,
  2: [{ 4: "schema", 5: columns.length }, ...columns.map(schemaElement)],
  3: BigInt(groups.reduce((sum, { rows }) => sum + rows, 0)),
  4: groups.map(rowGroup),
  5: Object.entries(keys).map(([key, value]) => ({ 1: key, 2: value })),
  6: "analytics-platform",
  // Values order as their types do.
  7: columns.map(() => ({ 1: {} })),
});
