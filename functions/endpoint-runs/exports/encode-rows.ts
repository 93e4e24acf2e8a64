import { type CsvField, csvLine } from "../../../lib/core/csv.ts";
import { isExactNumber } from "../../../lib/core/exact-json.ts";
import type { ResultColumn } from "../../../lib/hogql/lowered-query.ts";
import { parquetFile } from "../../../lib/lake/parquet.ts";
import type { Format } from "./wire.ts";

/** Rows of a SQL query, each with a value for each column. */
export interface TableRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Rows whose text is made at once. */
const AT_ONCE = 5_000;

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  csv: "text/csv",
  jsonl: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
};

/** The bytes of a file of these rows, some at a time. */
export async function* encodeRows(format: Format, { columns, rows }: TableRows): AsyncGenerator<Uint8Array> {
  const names = uniqueNames(columns.map(({ name }) => name));
  if (format === "parquet") {
    yield await parquetOf(names, columns, rows);
    return;
  }
  if (format === "csv") yield Buffer.from(`${csvLine(names)}\r\n`);
  const lineOf = format === "csv" ? csvLineOf : (row: readonly unknown[]) => jsonLineOf(names, row);
  for (let at = 0; at < rows.length; at += AT_ONCE)
    yield Buffer.from(
      rows
        .slice(at, at + AT_ONCE)
        .map(lineOf)
        .join(""),
    );
}

/** Of two columns of one name the second is called by its place as well, since a reader by names would lose one. */
const uniqueNames = (names: readonly string[]): readonly string[] => {
  const seen = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; seen.has(unique); number += 1) unique = `${name}_${number}`;
    seen.add(unique);
    return unique;
  });
};

const csvLineOf = (row: readonly unknown[]): string => `${csvLine(row.map(csvCell))}\r\n`;

const csvCell = (cell: unknown): CsvField => {
  if (typeof cell === "number" || isExactNumber(cell)) return cell;
  return cell === null ? "" : textOf(cell);
};

const textOf = (cell: unknown): string => (typeof cell === "string" ? cell : JSON.stringify(cell));

const jsonLineOf = (names: readonly string[], row: readonly unknown[]): string =>
  `{${names.map((name, at) => `${JSON.stringify(name)}:${JSON.stringify(row[at] ?? null)}`).join(",")}}\n`;

/** A column of numbers that doubles hold is one of doubles; every other one is text, as CSV has it. */
const parquetOf = async (
  names: readonly string[],
  columns: readonly ResultColumn[],
  rows: readonly (readonly unknown[])[],
): Promise<Uint8Array> => {
  const made = columns.map((_, at) => {
    const name = names[at] ?? "";
    const cells = rows.map((row) => row[at] ?? null);
    const values = numbersOf(cells);
    return values === undefined
      ? ({ name, kind: "utf8", values: cells.map((cell) => (cell === null ? null : textOf(cell))), nullable: true, repeats: true } as const)
      : ({ name, kind: "double", values } as const);
  });
  return (await parquetFile(made, rows.length, {})).content;
};

const numbersOf = (cells: readonly unknown[]): readonly (number | null)[] | undefined => {
  const numbers: (number | null)[] = [];
  for (const cell of cells) {
    if (typeof cell !== "number" && cell !== null) return undefined;
    numbers.push(cell);
  }
  return numbers.some((number) => number !== null) ? numbers : undefined;
};
