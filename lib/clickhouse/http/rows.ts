import { exactJson } from "../../core/exact-json.ts";
import { FAULTS, queryError } from "../../engine/faults.ts";
import { Unreachable } from "./unreachable.ts";

/** A column by its name and its type in ClickHouse. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The values of a row, in the order of the columns. */
export type Row = readonly unknown[];

interface Expected {
  /** For faults. */
  readonly queryId: string;
  /** How many rows there must be. */
  readonly rows: number;
  /** Bytes of JSON they may take. */
  readonly maxBytes: number;
}

/** Lines of an answer, some at a time. */
type Lines = AsyncIterable<readonly { readonly text: string }[]>;

/**
 * Columns and rows of an answer in ClickHouse's format `JSONCompactEachRowWithNamesAndTypes`: a line of names, one of types, and one for
 * each row. Throws `Unreachable`, or the rows do, for anything else: another number of rows, a row with more or fewer values, no JSON.
 */
export const columnsAndRows = async (
  lines: Lines,
  expected: Expected,
): Promise<{ readonly columns: readonly Column[]; readonly rows: AsyncIterable<readonly Row[]> }> => {
  const iterator = lines[Symbol.asyncIterator]();
  const first: string[] = [];
  while (first.length < HEADER) {
    const next = await iterator.next();
    if (next.done === true) throw untrusted(expected, "it was cut off");
    first.push(...next.value.map(({ text }) => text));
  }
  const columns = columnsIn(parsedRows(first.slice(0, HEADER), expected), expected);
  return { columns, rows: checkedRows(first.slice(HEADER), iterator, columns.length, expected) };
};

/** Lines before the first row. */
const HEADER = 2;

async function* checkedRows(
  first: readonly string[],
  rest: AsyncIterator<readonly { readonly text: string }[]>,
  width: number,
  expected: Expected,
): AsyncGenerator<readonly Row[]> {
  let [rows, bytes] = [0, 0];
  try {
    for (let texts = first; ; ) {
      rows += texts.length;
      bytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      if (bytes > expected.maxBytes) throw queryError(FAULTS.tooLarge);
      if (texts.length > 0) yield rowsOfWidth(parsedRows(texts, expected), width, expected);
      const next = await rest.next();
      if (next.done === true) break;
      texts = next.value.map(({ text }) => text);
    }
  } finally {
    await rest.return?.();
  }
  if (rows !== expected.rows) throw untrusted(expected, `${rows} of ${expected.rows} rows came`);
}

/** All at once: one parse of many rows costs less than many parses. A line that is more than one value would make more rows than lines. */
const parsedRows = (texts: readonly string[], expected: Expected): readonly unknown[] => {
  const rows = parsed(`[${texts.join(",")}]`, expected);
  if (!Array.isArray(rows) || rows.length !== texts.length) throw untrusted(expected, "it is not JSON by lines");
  return rows;
};

const parsed = (text: string, expected: Expected): unknown => {
  try {
    return exactJson(text);
  } catch {
    throw untrusted(expected, "it is not JSON");
  }
};

const rowsOfWidth = (rows: readonly unknown[], width: number, expected: Expected): readonly Row[] =>
  rows.map((row) => {
    if (!Array.isArray(row) || row.length !== width) throw untrusted(expected, "a row has not as many values as there are columns");
    return row;
  });

const columnsIn = ([names, types]: readonly unknown[], expected: Expected): readonly Column[] => {
  if (!isTexts(names) || !isTexts(types) || names.length !== types.length) throw untrusted(expected, "it does not name its columns");
  return names.map((name, index) => ({ name, type: types[index] ?? "" }));
};

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === "string");

const untrusted = ({ queryId }: Expected, why: string): Unreachable =>
  new Unreachable(`the answer to query ${queryId} is not whole: ${why}`);
