import { describe, expect, it } from "vitest";
import { parquetFile, readFooter, readParquet } from "./parquet.ts";
import { type Column, encodeColumn } from "./parquet-pages.ts";

/** Numbers that look like chance and are the same each time. */
const noise = (at: number): number => Math.imul(at + 1, 2_654_435_761) >>> 0;
const isMissing = (at: number): boolean => noise(at) % 5 === 0;

const uuid = (at: number): string => {
  const hex = [0, 1, 2, 3]
    .map((part) =>
      noise(7 * at + part)
        .toString(16)
        .padStart(8, "0"),
    )
    .join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

const list = <T>(rows: number, value: (at: number) => T): T[] => Array.from({ length: rows }, (_, at) => value(at));

/** Columns of every kind, whose texts and uuids are of so many different values. */
const columnsOf = (rows: number, distinct: number): readonly Column[] => [
  {
    name: "some",
    kind: "utf8",
    values: list(rows, (at) => (isMissing(at) ? null : `ü${noise(at) % distinct}`)),
    nullable: true,
    repeats: true,
  },
  { name: "all", kind: "utf8", values: list(rows, (at) => "é".repeat((noise(at) % distinct) % 40)), nullable: false, repeats: true },
  { name: "texts", kind: "utf8", values: list(rows, (at) => (isMissing(at + 1) ? null : `${noise(at)}`)), nullable: true, repeats: false },
  { name: "none", kind: "utf8", values: list(rows, () => null), nullable: true, repeats: true },
  { name: "people", kind: "uuid", values: list(rows, (at) => uuid(noise(at) % distinct)), repeats: true },
  { name: "uuids", kind: "uuid", values: list(rows, uuid), repeats: false },
  { name: "costs", kind: "double", values: list(rows, (at) => (isMissing(at + 2) ? null : noise(at) / 3)) },
  { name: "flags", kind: "boolean", values: list(rows, (at) => noise(at) % 3 === 0) },
  { name: "places", kind: "int32", values: Int32Array.from(list(rows, (at) => noise(at) | 0)) },
  { name: "hashes", kind: "int64", values: BigInt64Array.from(list(rows, (at) => BigInt(noise(at)) * -4_294_967_296n)) },
  { name: "times", kind: "timestamp", values: BigInt64Array.from(list(rows, (at) => BigInt(noise(at)) * 1_000n - 5n)) },
];

const written = async (columns: readonly Column[], rows: number) => readParquet((await parquetFile(columns, rows, {})).content);

const rowsOf = (columns: readonly Column[], from: number, to: number) =>
  list(to - from, (at) => Object.fromEntries(columns.map(({ name, values }) => [name, values[from + at]])));

describe("a file of columns", () => {
  it.each([1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1_023, 5_000])("gives back every value of %d rows", async (rows) => {
    for (const distinct of [1, 2, 3, 17, 300, 1_000_000]) {
      const columns = columnsOf(rows, distinct);
      expect(await written(columns, rows)).toEqual(rowsOf(columns, 0, rows));
    }
  });

  it("takes no more for the uuids of a later row group than for those of the first", () => {
    const column: Column = { name: "uuids", kind: "uuid", values: list(100, uuid), repeats: false };
    expect(encodeColumn(column, 50, 100).pages.map(({ values }) => values.length)).toEqual([50 * 16]);
  });

  it("gives back texts that fill many pages, and missing ones between them", async () => {
    const texts = list(40, (at) => (at % 3 === 1 ? null : `${at}`.repeat(noise(at) % 300_000)));
    const column: Column = { name: "texts", kind: "utf8", values: texts, nullable: true, repeats: false };
    expect((await written([column], texts.length)).map((row) => row.texts)).toEqual(texts);
  });

  it("gives back the rows of every row group", async () => {
    const rows = 100_700;
    const columns = columnsOf(rows, 300).filter(({ name }) => ["some", "people", "uuids", "costs", "flags", "texts"].includes(name));
    const { content, footerBytes } = await parquetFile(columns, rows, {});
    const { row_groups } = readFooter(content.subarray(content.length - 8 - footerBytes, content.length - 8));
    expect(row_groups.map(({ num_rows }) => num_rows)).toEqual([100_000n, 700n]);
    for (const { columns: chunks, num_rows } of row_groups)
      expect(chunks.every(({ meta_data }) => meta_data?.num_values === num_rows)).toBe(true);
    const read = await readParquet(content);
    expect(read.length).toBe(rows);
    for (const from of [0, 99_990, 100_600]) expect(read.slice(from, from + 100)).toEqual(rowsOf(columns, from, from + 100));
  });
});
