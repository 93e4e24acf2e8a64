import { zstdDecompressSync, gunzipSync, brotliDecompressSync } from "node:zlib";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import type { Fields } from "../../../lib/event/fields.ts";
import { UserError } from "../../local/user-error.ts";
import type { Source } from "./sources.ts";

/** Rows of a Parquet file that are read at once: a page of each column is decoded for them. */
const ROWS_AT_ONCE = 5_000;

export const COMPRESSORS = {
  ZSTD: (input: Uint8Array): Uint8Array => zstdDecompressSync(input),
  GZIP: (input: Uint8Array): Uint8Array => gunzipSync(input),
  BROTLI: (input: Uint8Array): Uint8Array => brotliDecompressSync(input),
};

/** A table of rows, by their columns. */
export interface ParquetTable {
  readonly columns: readonly string[];
  readonly rows: number;
  /** Rows from a place on, some at a time. */
  from(row: number): AsyncIterable<readonly Fields[]>;
}

/** Opens a Parquet file by its footer; its columns are fetched as rows are asked for. Throws a `UserError` for what is none. */
export const openParquet = async (source: Source): Promise<ParquetTable> => {
  const file = bufferOf(source);
  const metadata = await parquetMetadataAsync(file).catch((fault: unknown) => {
    throw new UserError(`${source.name} is no whole Parquet file: ${fault instanceof Error ? fault.message : String(fault)}`);
  });
  const rows = Number(metadata.num_rows);
  const columns = topColumns(metadata);
  async function* from(first: number): AsyncGenerator<readonly Fields[]> {
    for (let rowStart = first; rowStart < rows; rowStart += ROWS_AT_ONCE) {
      const rowEnd = Math.min(rows, rowStart + ROWS_AT_ONCE);
      yield await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors: COMPRESSORS, parsers: PARSERS });
    }
  }
  return { columns, rows, from };
};

/** UUIDs as text, times as dates, and bytes that are no text left out. */
const PARSERS = {
  uuidFromBytes: (bytes: Uint8Array): string => {
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  },
  timestampFromMicroseconds: (micros: bigint): string => isoMicros(micros),
};

const MICROS_PER_MS = 1000n;

/** A time with its microseconds, which a date would lose. */
const isoMicros = (micros: bigint): string => {
  const ms = micros >= 0n ? micros / MICROS_PER_MS : (micros - MICROS_PER_MS + 1n) / MICROS_PER_MS;
  const rest = String(micros - ms * MICROS_PER_MS).padStart(3, "0");
  return `${new Date(Number(ms)).toISOString().slice(0, -1)}${rest}Z`;
};

/** Columns of the schema's first level. */
const topColumns = ({ schema }: FileMetaData): readonly string[] => {
  const names: string[] = [];
  for (let at = 1; at < schema.length; at = after(schema, at)) names.push(schema[at]?.name ?? "");
  return names;
};

const after = (schema: FileMetaData["schema"], at: number): number => {
  let next = at + 1;
  for (let child = 0; child < (schema[at]?.num_children ?? 0); child += 1) next = after(schema, next);
  return next;
};

/** A source as the reader of Parquet wants it. */
export const bufferOf = (source: Source): AsyncBuffer => ({
  byteLength: source.bytes,
  async slice(from, to = source.bytes) {
    const bytes = await source.read(from, to);
    const copy = new ArrayBuffer(bytes.length);
    new Uint8Array(copy).set(bytes);
    return copy;
  },
});
