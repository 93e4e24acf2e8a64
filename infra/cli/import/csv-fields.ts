import { parse } from "csv-parse/sync";
import type { Fields } from "../../../lib/event/fields.ts";
import { NoEvent } from "./forms/form.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;

/** The character between the fields of a table: the one that its first line has most of. */
export const delimiterOf = (header: string): string =>
  DELIMITERS.reduce((most, each) => (header.split(each).length > header.split(most).length ? each : most));

/** The fields of some records of CSV, each whole; a record that is none by itself has its fault in its place. */
export const csvRecords = (records: readonly Uint8Array[], delimiter: string): readonly (readonly string[] | NoEvent)[] => {
  const together = parseAll(Buffer.concat(records.map(ended)), delimiter);
  return together?.length === records.length ? together : records.map((record) => parseOne(record, delimiter));
};

/** A row by its columns' names; a record with more fields than there are columns is none. */
export const csvRow = (columns: readonly string[], fields: readonly string[]): Fields => {
  if (fields.length > columns.length) throw new NoEvent(`the record has ${fields.length} fields, and there are ${columns.length} columns`);
  const row: Record<string, unknown> = {};
  for (const [place, column] of columns.entries()) row[column] = fields[place];
  return row;
};

const NEWLINE = Buffer.from("\n");

const ended = (record: Uint8Array): Uint8Array => (record.at(-1) === NEWLINE[0] ? record : Buffer.concat([record, NEWLINE]));

const parseAll = (text: Buffer, delimiter: string): readonly (readonly string[])[] | undefined => {
  try {
    return parsed(text, delimiter);
  } catch {
    return undefined;
  }
};

const parseOne = (record: Uint8Array, delimiter: string): readonly string[] | NoEvent => {
  try {
    return parsed(Buffer.from(record), delimiter)[0] ?? [];
  } catch {
    return new NoEvent("the record is no CSV: a quote is not closed, or something follows one that is");
  }
};

const parsed = (text: Buffer, delimiter: string): string[][] =>
  parse(text, { delimiter, relaxColumnCount: true, relaxQuotes: true, recordDelimiter: ["\r\n", "\n"], skipEmptyLines: false });
