import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { type FileMetaData, parquetMetadata, parquetRead, parquetReadObjects } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { withColumn } from "./parquet/added-column.ts";
import { type Chunk, dictionaryHeader, fileMetadata, type Group, pageHeader } from "./parquet/parquet-metadata.ts";
import { type Column, type ColumnPages, encodeColumn, type Page } from "./parquet/parquet-pages.ts";
import { appendStruct, type ThriftStruct } from "./parquet/thrift.ts";

export interface ParquetFile {
  readonly content: Uint8Array;
  /** Length of the footer's metadata, without the 8 bytes that end a file. */
  readonly footerBytes: number;
}

/** Rows per row group: a reader's thread takes one at a time. */
const ROW_GROUP_ROWS = 100_000;

/** Waiting segments live for minutes, so speed counts more than the last tenth of their size. */
const ZSTD_LEVEL = 1;

/** Columns with less than this are stored as they are: starting the compressor for them costs more than their bytes. */
const LEAST_COMPRESSED_BYTES = 4_096;

/** Pages above this are compressed on another thread. */
const LEAST_PARALLEL_BYTES = 131_072;

const MAGIC = 0x31524150;

const compressInParallel = promisify(zstdCompress);

/** A Parquet file of the columns, all of one length, in their order; `keys` become its key-value metadata. */
export const parquetFile = async (
  columns: readonly Column[],
  rows: number,
  keys: Readonly<Record<string, string>>,
): Promise<ParquetFile> => {
  const writer = new ByteWriter(65_536);
  writer.appendUint32(MAGIC);
  const groups: Group[] = [];
  for (let start = 0; start < rows; start += ROW_GROUP_ROWS) {
    const end = Math.min(start + ROW_GROUP_ROWS, rows);
    const packed = await Promise.all(columns.map((column) => pack(column, encodeColumn(column, start, end))));
    // Room for all of it at once: growing by and by takes several times as much memory.
    writer.ensure(packed.reduce((sum, chunk) => sum + columnBytes(chunk), FOOTER_BYTES));
    groups.push({ rows: end - start, chunks: packed.map((column) => appendChunk(writer, column, start, end)) });
  }
  const footerBytes = appendHeader(writer, fileMetadata(columns, groups, keys));
  writer.appendUint32(footerBytes);
  writer.appendUint32(MAGIC);
  return { content: writer.getBytes(), footerBytes };
};

/**
 * What is put at the end of a file, whose metadata and length are given, to add a column to it: the column's values and other metadata. The
 * file's own bytes stay where they are.
 */
export const addedColumn = async (metadata: Uint8Array, length: number, column: Column): Promise<Uint8Array> => {
  const writer = new ByteWriter(65_536);
  const chunks: Chunk[] = [];
  let start = 0;
  for (const { num_rows: rows } of readFooter(metadata).row_groups) {
    const end = start + Number(rows);
    const chunk = appendChunk(writer, await pack(column, encodeColumn(column, start, end)), start, end);
    chunks.push({ ...chunk, offset: length + chunk.offset, firstPage: length + chunk.firstPage });
    start = end;
  }
  const whole = withColumn(metadata, chunks);
  writer.appendBytes(whole);
  writer.appendUint32(whole.length);
  writer.appendUint32(MAGIC);
  return writer.getBytes();
};

/** A value as the reader gives it: UUIDs as text, 64-bit integers and times (microseconds) as bigints. */
export type Value = string | number | bigint | boolean | null;

/**
 * The rows of a whole Parquet file in memory, in file order. For small files (snapshots, deltas) and tests: it holds every
 * row as an object.
 */
export const readParquet = async (bytes: Uint8Array, columns?: readonly string[]): Promise<Record<string, Value>[]> =>
  parquetReadObjects({ ...reading(bytes), ...(columns ? { columns: [...columns] } : {}) });

/** The columns of a whole Parquet file in memory by name, all or some, which takes a fraction of its rows as objects. */
export const readColumns = async (bytes: Uint8Array, columns?: readonly string[]): Promise<ReadonlyMap<string, ArrayLike<Value>>> => {
  const pages = new Map<string, { readonly from: number; readonly values: ArrayLike<Value> }[]>();
  await parquetRead({
    ...reading(bytes),
    ...(columns ? { columns: [...columns] } : {}),
    onChunk({ columnName, columnData, rowStart }) {
      const own = pages.get(columnName) ?? [];
      pages.set(columnName, own);
      own.push({ from: rowStart, values: columnData });
    },
  });
  return new Map([...pages].map(([name, own]) => [name, inTurn(own)]));
};

const inTurn = (pages: readonly { readonly from: number; readonly values: ArrayLike<Value> }[]): ArrayLike<Value> => {
  const [only, ...others] = pages;
  if (only !== undefined && others.length === 0) return only.values;
  const all: Value[] = [];
  for (const { values } of pages.toSorted((a, b) => a.from - b.from))
    for (let at = 0; at < values.length; at += 1) all.push(values[at] ?? null);
  return all;
};

const reading = (bytes: Uint8Array) => ({
  file: { byteLength: bytes.length, slice: (from: number, to?: number) => exactly(bytes.subarray(from, to)) },
  compressors: { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) },
  parsers: { timestampFromMicroseconds: (micros: bigint) => micros, uuidFromBytes },
});

/** The library's own takes several times as long. */
const uuidFromBytes = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** The parsed footer: `footer` is the metadata without the 8 bytes that end a file. */
export const readFooter = (footer: Uint8Array): FileMetaData => {
  const ended = new Uint8Array(footer.length + 8);
  ended.set(footer);
  const view = new DataView(ended.buffer);
  view.setUint32(footer.length, footer.length, true);
  view.setUint32(footer.length + 4, MAGIC, true);
  return parquetMetadata(ended.buffer);
};

const exactly = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
};

/** A column of a row group as it is encoded, and the bytes that stand for its dictionary and for the values of each page. */
interface CompressedColumn {
  readonly column: Column;
  readonly compressed: boolean;
  readonly dictionary: (NonNullable<ColumnPages["dictionary"]> & { readonly packed: Uint8Array }) | undefined;
  readonly pages: readonly (Page & { readonly packed: Uint8Array })[];
}

/** Bytes of the footer of a file that has one row group, about. */
const FOOTER_BYTES = 32_768;
/** Bytes of a page's header, about. */
const PAGE_HEADER_BYTES = 64;

const columnBytes = ({ dictionary, pages }: CompressedColumn): number =>
  pages.reduce((sum, { levels, packed }) => sum + PAGE_HEADER_BYTES + packed.length + levels.length, dictionary?.packed.length ?? 0);

const pack = async (column: Column, { dictionary, pages }: ColumnPages): Promise<CompressedColumn> => {
  const total = pages.reduce((sum, page) => sum + page.values.length, dictionary?.bytes.length ?? 0);
  const random = column.name === "identity" || column.kind === "uuid";
  const compressed = !random && total >= LEAST_COMPRESSED_BYTES;
  const packed = compressed ? compress : async (bytes: Uint8Array) => bytes;
  return {
    column,
    compressed,
    dictionary: dictionary && { ...dictionary, packed: await packed(dictionary.bytes) },
    pages: await Promise.all(pages.map(async (page) => ({ ...page, packed: await packed(page.values) }))),
  };
};

const compress = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
  const options = { params, chunkSize: Math.max(1_024, (bytes.length >> 1) + 512), pledgedSrcSize: bytes.length };
  return bytes.length < LEAST_PARALLEL_BYTES ? zstdCompressSync(bytes, options) : compressInParallel(bytes, options);
};

const appendChunk = (
  writer: ByteWriter,
  { column, compressed, dictionary, pages }: CompressedColumn,
  start: number,
  end: number,
): Chunk => {
  const offset = writer.offset;
  const storage = { compressed, hasDictionary: dictionary !== undefined };
  let uncompressedBytes = 0;
  if (dictionary) {
    uncompressedBytes += appendHeader(writer, dictionaryHeader(dictionary, dictionary.packed)) + dictionary.bytes.length;
    writer.appendBytes(dictionary.packed);
  }
  const firstPage = writer.offset;
  for (const page of pages) {
    uncompressedBytes += appendHeader(writer, pageHeader(page, page.packed, storage)) + page.levels.length + page.values.length;
    writer.appendBytes(page.levels);
    writer.appendBytes(page.packed);
  }
  const bytes = writer.offset - offset;
  return { column, ...storage, rows: end - start, offset, firstPage, bytes, uncompressedBytes, range: timeRange(column, start, end) };
};

/** Appends what Parquet says in Thrift; returns how many bytes that took. */
const appendHeader = (writer: ByteWriter, header: ThriftStruct): number => {
  const before = writer.offset;
  appendStruct(writer, header);
  return writer.offset - before;
};

/** Ranges are kept for times only: the catalogue knows the rest, and a segment has few row groups to skip. */
const timeRange = (column: Column, start: number, end: number): Chunk["range"] => {
  if (column.kind !== "timestamp") return undefined;
  let least = column.values[start] ?? 0n;
  let most = least;
  for (let i = start + 1; i < end; i++) {
    const value = column.values[i] ?? 0n;
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  return { least, most };
};
