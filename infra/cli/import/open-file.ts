import { exactJson } from "../../../lib/core/exact-json.ts";
import { notJson } from "../../../lib/core/json-scan.ts";
import { type Fields, isFields } from "../../../lib/event/fields.ts";
import { UserError } from "../../local/user-error.ts";
import { type Compression, compressionOf, contentOf } from "./compression.ts";
import { csvRecords, csvRow, delimiterOf } from "./csv-fields.ts";
import { type Form, type FormOptions, NoEvent } from "./forms/form.ts";
import { FORMS, likelyForm } from "./forms/forms.ts";
import { type Mapping, objectReader, rowReader } from "./mapping.ts";
import { openParquet, type ParquetTable } from "./parquet-rows.ts";
import type { Source } from "./sources.ts";
import {
  csvScanner,
  type FileRecord,
  type JsonShape,
  jsonScanner,
  lineScanner,
  MAX_RECORD_BYTES,
  type Place,
  type Scanner,
  splitter,
} from "./split.ts";

/** What a command says of its files. */
export interface ReadOptions extends FormOptions {
  /** The form that is meant, where it is not to be found out. */
  readonly form: string | undefined;
  readonly mapping: Mapping | undefined;
}

/** A record as it was read: the event that it says, or why it says none. */
export interface ReadRecord {
  readonly line: number;
  /** Where in the content the record ends. */
  readonly end: number;
  readonly said: Fields | NoEvent;
  /** The bytes of an event that is as clients send it: they travel unchanged. */
  readonly written: Uint8Array | undefined;
  /** The record itself, for the file of rejects. */
  readonly text: () => string;
}

/** A file whose form is known. */
export interface OpenFile {
  readonly source: Source;
  /** What it was taken for, in words. */
  readonly form: string;
  /** Records from a place between two of them on, some at a time. */
  records(place: Place): AsyncIterable<readonly ReadRecord[]>;
  /** Share of the file that was read so far, 0 to 1. */
  share(): number;
}

/** Content by which a form is found out. */
const HEAD_BYTES = 2 * 1024 * 1024;
const HEAD_RECORDS = 50;
const PARQUET = "PAR1";

/** Finds out what a file is, and how its records become events. Throws a `UserError`. */
export const openFile = async (source: Source, options: ReadOptions): Promise<OpenFile> => {
  if (source.bytes === 0) return emptyFile(source);
  const first = await source.read(0, 64);
  if (Buffer.from(first.subarray(0, 4)).toString("latin1") === PARQUET) return parquetFile(source, await openParquet(source), options);
  const compression = compressionOf(first);
  const head = await headOf(source, compression);
  if (holdsNothing(head)) return emptyFile(source);
  return looksLikeJson(head, options) ? jsonFile(source, compression, head, options) : csvFile(source, compression, head, options);
};

const emptyFile = (source: Source): OpenFile => ({ source, form: "empty", records: async function* () {}, share: () => 1 });

/** The beginning of the content, without the mark that some programs begin a text with. */
const headOf = async (source: Source, compression: Compression): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of contentOf(source, compression, 0).chunks) {
      parts.push(chunk);
      bytes += chunk.length;
      if (bytes >= HEAD_BYTES) break;
    }
  } catch (fault) {
    // A file that is damaged behind something has the form of that; the damage is met where it is read.
    if (bytes === 0) throw fault;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
};

/** Whether there is nothing but space, a list without elements, or the last page of an API, which often has no events. */
const holdsNothing = (head: Buffer): boolean => {
  if (head.length === HEAD_BYTES) return false;
  const text = head.subarray(markLength(head)).toString("utf8").trim();
  const value = text === "" ? [] : parsedOr(text);
  const list = isFields(value) && isPage(value) ? (value.results ?? value.batch) : value;
  return Array.isArray(list) && list.length === 0;
};

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const markLength = (head: Buffer): number => (head.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0);

const looksLikeJson = (head: Buffer, { form }: ReadOptions): boolean => {
  if (form !== undefined) return form !== "csv";
  return /^\s*[[{]/.test(head.subarray(markLength(head), markLength(head) + HEAD_RECORDS).toString("latin1"));
};

/** One chunk after the other as records; the mark at the beginning of a text belongs to none. */
async function* recordsOf(chunks: AsyncIterable<Uint8Array>, scanner: Scanner, place: Place): AsyncGenerator<readonly FileRecord[]> {
  const split = splitter(scanner, place);
  for await (const chunk of chunks) yield split.feed(chunk);
  yield split.rest();
}

const jsonFile = (source: Source, compression: Compression, head: Buffer, options: ReadOptions): OpenFile => {
  const mark = markLength(head);
  const shape = shapeOf(head.subarray(mark));
  const form =
    options.mapping === undefined ? chosenForm(options.form, source, sampled(head.subarray(mark), shape)) : mapped(options.mapping);
  let consumed = (): number => 0;
  async function* records(place: Place): AsyncGenerator<readonly ReadRecord[]> {
    const content = contentOf(source, compression, Math.max(place.offset, mark));
    consumed = content.consumed;
    const from = place.offset === 0 ? { ...place, offset: mark } : place;
    for await (const each of recordsOf(content.chunks, scannerOf(shape, place.offset > 0), from))
      yield each.filter(({ bytes }) => !isBlank(bytes)).map((record) => readJson(record, form, options));
  }
  return { source, form: form.name, records, share: () => consumed() / source.bytes };
};

const scannerOf = (shape: JsonShape | "lines", isWithin: boolean): Scanner =>
  shape === "lines" ? lineScanner() : jsonScanner(shape, isWithin);

const SPACE = 0x20;

const isBlank = (bytes: Uint8Array): boolean => bytes.length < HEAD_RECORDS && bytes.every((byte) => byte <= SPACE);

/** Where the events of a document stand, by its beginning. */
const shapeOf = (head: Buffer): JsonShape | "lines" => {
  const text = head.toString("utf8").trimStart();
  if (text.startsWith("[")) return "list";
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end);
  const value = parsedOr(line);
  if (isFields(value)) return isPage(value) ? "pages" : "lines";
  // A line that goes on beyond what was looked at, or an object over several lines.
  if (
    /^\{\s*"(?:count|next|previous|results|batch|api_key|historical_migration)"\s*:/.test(text) &&
    /"(?:results|batch)"\s*:\s*\[/.test(text)
  )
    return "pages";
  return end === -1 || !/^\{\s*$/.test(line) ? "lines" : "objects";
};

const isPage = (value: Fields): boolean => value.event === undefined && (Array.isArray(value.results) || Array.isArray(value.batch));

const parsedOr = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The first records of a document that can be read. */
const sampled = (head: Buffer, shape: JsonShape | "lines"): readonly Fields[] =>
  splitter(scannerOf(shape, false), { offset: 0, line: 0 })
    .feed(head.at(-1) === 0x0a ? head : Buffer.concat([head, Buffer.from("\n")]))
    .slice(0, HEAD_RECORDS)
    .map(({ bytes }) => parsedOr(Buffer.from(bytes).toString("utf8")))
    .filter(isFields);

const chosenForm = (wanted: string | undefined, source: Source, records: readonly Fields[]): Reader => {
  const named = FORMS.find(({ name }) => name === wanted);
  if (wanted !== undefined && named !== undefined) return named;
  const found = likelyForm(records);
  if (found !== undefined) return found;
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, 12);
  const seen = names.length === 0 ? "its first records are no JSON objects" : `its records have ${names.join(", ")}`;
  throw new UserError(
    `What ${source.name} holds is not known: ${seen}. Say --form ${FORMS.map(({ name }) => name).join(", ")}, or which of them is what with --map.`,
  );
};

/** Objects of any names, read as the command says. */
const mapped = (mapping: Mapping): Reader => ({ name: "mapped", read: objectReader(mapping) });

type Reader = Pick<Form, "read"> & { readonly name: string };

const readJson = ({ line, end, bytes, isTooLong }: FileRecord, form: Reader, options: ReadOptions): ReadRecord => {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  const text = (): string => json.trimEnd();
  if (isTooLong) return { line, end, said: tooLong(), written: undefined, text };
  try {
    // Of what travels as it is written no digit can be lost.
    const record = form.name === "events" ? JSON.parse(json) : exactJson(json);
    if (!isFields(record)) return { line, end, said: new NoEvent("the record is no JSON object"), written: undefined, text };
    const said = form.read(record, options);
    return { line, end, said, written: said === record ? bytes : undefined, text };
  } catch (thrown) {
    if (thrown instanceof NoEvent) return { line, end, said: thrown, written: undefined, text };
    if (thrown instanceof SyntaxError)
      return { line, end, said: new NoEvent(`the record ${notJson(json.trimEnd())}`), written: undefined, text };
    throw thrown;
  }
};

const tooLong = (): NoEvent => new NoEvent(`the record is longer than ${MAX_RECORD_BYTES} bytes`);

const csvFile = (source: Source, compression: Compression, head: Buffer, options: ReadOptions): OpenFile => {
  const mark = markLength(head);
  const delimiter = delimiterOf(head.subarray(mark, head.indexOf("\n") === -1 ? undefined : head.indexOf("\n")).toString("utf8"));
  const scanner = (): Scanner => csvScanner(delimiter.charCodeAt(0));
  const [header] = splitter(scanner(), { offset: mark, line: 0 }).feed(Buffer.concat([head.subarray(mark), Buffer.from("\n")]));
  const [fields] = header === undefined ? [] : csvRecords([header.bytes], delimiter);
  if (header === undefined || fields === undefined || fields instanceof NoEvent)
    throw new UserError(`${source.name} is neither JSON nor Parquet nor a table with a line of columns.`);
  if (header.bytes.includes(0))
    throw new UserError(
      `${source.name} is neither text in UTF-8 nor Parquet, and not compressed with gzip or zstd: unpack it first, or write it in UTF-8.`,
    );
  const columns = fields.map((name) => name.trim());
  const read = rowReader(columns, options.mapping);
  let consumed = (): number => 0;
  async function* records(place: Place): AsyncGenerator<readonly ReadRecord[]> {
    const from = place.offset === 0 ? { offset: header?.end ?? 0, line: 1 } : place;
    const content = contentOf(source, compression, from.offset);
    consumed = content.consumed;
    for await (const each of recordsOf(content.chunks, scanner(), from))
      yield readTable(
        each.filter(({ bytes }) => !isBlank(bytes)),
        { columns, delimiter, read },
      );
  }
  return { source, form: "csv", records, share: () => consumed() / source.bytes };
};

interface Table {
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly read: (row: Fields) => Fields;
}

const readTable = (records: readonly FileRecord[], { columns, delimiter, read }: Table): readonly ReadRecord[] => {
  const whole = records.filter(({ isTooLong }) => !isTooLong);
  const fields =
    whole.length === 0
      ? []
      : csvRecords(
          whole.map(({ bytes }) => bytes),
          delimiter,
        );
  const byRecord = new Map(whole.map((record, place) => [record, fields[place]]));
  return records.map((record) => {
    const own = byRecord.get(record) ?? tooLong();
    const text = (): string => Buffer.from(record.bytes).toString("utf8").trimEnd();
    const said = own instanceof NoEvent ? own : orNoEvent(() => read(csvRow(columns, own)));
    return { line: record.line, end: record.end, said, written: undefined, text };
  });
};

const orNoEvent = (read: () => Fields): Fields | NoEvent => {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof NoEvent) return thrown;
    throw thrown;
  }
};

/** A Parquet file's records are its rows, and a place in it is a number of them. */
const parquetFile = async (source: Source, table: ParquetTable, options: ReadOptions): Promise<OpenFile> => {
  const read = await tableReader(source, table, options);
  let done = 0;
  async function* records(place: Place): AsyncGenerator<readonly ReadRecord[]> {
    let row = place.offset;
    for await (const rows of table.from(row))
      yield rows.map((fields) => {
        row += 1;
        done = row;
        const said = orNoEvent(() => read.row(fields));
        return { line: row, end: row, said, written: undefined, text: () => JSON.stringify(fields) };
      });
  }
  return { source, form: `parquet, ${read.form}`, records, share: () => (table.rows === 0 ? 1 : done / table.rows) };
};

const tableReader = async (
  source: Source,
  { columns, from }: ParquetTable,
  options: ReadOptions,
): Promise<{ readonly form: string; readonly row: (fields: Fields) => Fields }> => {
  if (options.mapping !== undefined) return { form: "mapped", row: rowReader(columns, options.mapping) };
  for await (const rows of from(0)) {
    const form = options.form === undefined ? likelyForm(rows.slice(0, HEAD_RECORDS)) : chosenForm(options.form, source, rows);
    if (form !== undefined && form.name !== "events") return { form: form.name, row: (fields) => form.read(fields, options) };
    break;
  }
  return { form: "events", row: rowReader(columns, undefined) };
};
