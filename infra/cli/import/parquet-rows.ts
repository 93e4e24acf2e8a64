import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { wholeNumber } from "../../../lib/core/exact-json.ts";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import type { Fields } from "../../../lib/event/fields.ts";
import { UserError } from "../../local/user-error.ts";
import type { Source } from "./sources.ts";

/** Uncompressed bytes of rows that are read at once: a row group, or a part of one that is larger, which is then read again for each part. */
const BYTES_AT_ONCE = 48 * 1024 * 1024;
const LEAST_ROWS_AT_ONCE = 1_000;

/** A footer says where everything is and is read whole. */
const MAX_FOOTER_BYTES = 32 * 1024 * 1024;

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
  const metadata = await footerOf(source, file);
  async function* from(first: number): AsyncGenerator<readonly Fields[]> {
    let end = 0;
    for (const { num_rows, total_byte_size } of metadata.row_groups) {
      const [begin, rows] = [end, Number(num_rows)];
      end += rows;
      const atOnce = Math.max(LEAST_ROWS_AT_ONCE, Math.floor((BYTES_AT_ONCE * rows) / Math.max(1, Number(total_byte_size))));
      for (let rowStart = Math.max(first, begin); rowStart < end; rowStart += atOnce) {
        const rowEnd = Math.min(end, rowStart + atOnce);
        const found = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors: COMPRESSORS, parsers: PARSERS });
        yield found.map(plainRow);
      }
    }
  }
  return { columns: topColumns(metadata), rows: Number(metadata.num_rows), from };
};

const LENGTH_BYTES = 8;

const footerOf = async (source: Source, file: AsyncBuffer): Promise<FileMetaData> => {
  const ending = Buffer.from(await source.read(Math.max(0, source.bytes - LENGTH_BYTES), source.bytes));
  if (ending.length === LENGTH_BYTES && ending.readUInt32LE() > MAX_FOOTER_BYTES)
    throw new UserError(`${source.name} has a footer of more than ${MAX_FOOTER_BYTES} bytes: write it with fewer columns or row groups.`);
  try {
    return await parquetMetadataAsync(file);
  } catch (fault) {
    throw new UserError(`${source.name} is no whole Parquet file: ${thrownMessage(fault)}`);
  }
};

const MICROS_PER_MS = 1_000n;
const NANOS_PER_MICRO = 1_000n;

/** A time with its microseconds, which a date would lose. */
const isoMicros = (micros: bigint): string => {
  const rest = ((micros % MICROS_PER_MS) + MICROS_PER_MS) % MICROS_PER_MS;
  const ms = new Date(Number((micros - rest) / MICROS_PER_MS));
  return Number.isNaN(ms.getTime()) ? "" : `${ms.toISOString().slice(0, -1)}${String(rest).padStart(3, "0")}Z`;
};

/** UUIDs and times as text, as clients write them. */
const PARSERS = {
  uuidFromBytes: (bytes: Uint8Array): string => {
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  },
  timestampFromMilliseconds: (ms: bigint): string => isoMicros(ms * MICROS_PER_MS),
  timestampFromMicroseconds: isoMicros,
  timestampFromNanoseconds: (nanos: bigint): string => isoMicros(nanos / NANOS_PER_MICRO),
  dateFromDays: (days: number): string => isoMicros(BigInt(days * DAY_MS) * MICROS_PER_MS),
};

const plainRow = (row: Fields): Fields => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));

/** A value as JSON has it: numbers to their last digit, bytes that are no text as base64. */
const plain = (value: unknown): unknown => {
  if (typeof value === "bigint") return wholeNumber(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === "object" && value !== null && !JSON.isRawJSON(value) ? plainRow({ ...value }) : value;
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
export const bufferOf = (source: Pick<Source, "bytes" | "read">): AsyncBuffer => ({
  byteLength: source.bytes,
  async slice(from, to = source.bytes) {
    const bytes = await source.read(from, to);
    const copy = new ArrayBuffer(bytes.length);
    new Uint8Array(copy).set(bytes);
    return copy;
  },
});
