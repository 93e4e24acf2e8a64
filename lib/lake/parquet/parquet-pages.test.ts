import { describe, expect, it } from "vitest";
import { parquetFile, readFooter, readParquet } from "../parquet.ts";
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

const rowsFrom = (column: Column, start: number, end: number): Column => {
  switch (column.kind) {
    case "timestamp":
    case "int64":
      return { ...column, values: column.values.slice(start, end) };
    case "int32":
      return { ...column, values: column.values.slice(start, end) };
    case "utf8":
      return { ...column, values: column.values.slice(start, end) };
    case "uuid":
      return { ...column, values: column.values.slice(start, end) };
    case "boolean":
      return { ...column, values: column.values.slice(start, end) };
    case "double":
      return { ...column, values: column.values.slice(start, end) };
  }
};

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

  it("holds the rows of a later row group as if they stood alone", () => {
    for (const column of columnsOf(300, 17))
      for (const [start, end] of [
        [0, 150],
        [7, 20],
        [50, 66],
        [133, 300],
      ] as const)
        expect(encodeColumn(column, start, end), column.name).toEqual(encodeColumn(rowsFrom(column, start, end), 0, end - start));
  });

  const texts = (values: readonly (string | null)[], changes: { nullable?: boolean; repeats?: boolean } = {}): Column => ({
    name: "texts",
    kind: "utf8",
    values,
    nullable: false,
    repeats: true,
    ...changes,
  });
  const bytesOf = (column: Column) =>
    encodeColumn(column, 0, column.values.length).pages.map(({ levels, values }) => [[...levels], [...values]]);

  it.each<[string, Column, number[], number[]]>([
    ["one text", texts(["a", "a", "a"]), [], [1, 6, 0]],
    ["three texts in turn", texts(["a", "b", "c", "a"]), [], [2, 3, 0b00_10_01_00, 0]],
    ["eight texts of four", texts([..."abcdabcd"]), [], [2, 3, 0b11_10_01_00, 0b11_10_01_00]],
    ["no text that is missing", texts(["a", "a", "a"], { nullable: true }), [6, 1], [1, 6, 0]],
    ["a missing text", texts(["a", null, "a"], { nullable: true }), [3, 0b101], [1, 4, 0]],
    ["eight numbers, one missing", { name: "n", kind: "double", values: [null, ...list(7, () => 0)] }, [3, 0b1111_1110], list(56, () => 0)],
    ["nothing but missing numbers", { name: "n", kind: "double", values: list(10_000, () => null) }, [0xa0, 0x9c, 1, 0], []],
    ["eight flags", { name: "b", kind: "boolean", values: list(8, (at) => at > 0) }, [], [0b1111_1110]],
    ["nine flags", { name: "b", kind: "boolean", values: list(9, (at) => at > 0) }, [], [0b1111_1110, 1]],
  ])("writes %s in as few bytes as the format allows", (_, column, levels, values) => {
    expect(bytesOf(column)).toEqual([[levels, values]]);
  });

  it("says in two bytes that all texts of a column are missing", () => {
    expect(
      bytesOf(
        texts(
          list(30, () => null),
          { nullable: true },
        ),
      ).map(([levels, values]) => [levels, values?.length]),
    ).toEqual([[[60, 0], 1]]);
  });

  it("lists texts that repeat once each, and those that hardly do not at all", () => {
    const entriesOf = (column: Column) => encodeColumn(column, 0, column.values.length).dictionary?.entries;
    const late = [...list(4_000, (at) => `${at % 3}`), "new", "newer"];
    expect(entriesOf(texts(late))).toBe(5);
    expect(entriesOf(texts(list(3_000, (at) => `${at}`)))).toBeUndefined();
    expect(entriesOf(texts(["a", "a"], { repeats: false }))).toBeUndefined();
    expect(entriesOf({ name: "people", kind: "uuid", values: [uuid(1), uuid(2), uuid(1)], repeats: true })).toBe(2);
    expect(entriesOf({ name: "uuids", kind: "uuid", values: [uuid(1), uuid(1)], repeats: false })).toBeUndefined();
  });

  it("reads capitals in uuids, too", async () => {
    const column: Column = { name: "uuids", kind: "uuid", values: ["0190A1B2-C3D4-7E5F-8A9B-ABCDEF012345"], repeats: false };
    expect(await written([column], 1)).toEqual([{ uuids: "0190a1b2-c3d4-7e5f-8a9b-abcdef012345" }]);
  });

  it("begins a page of texts when the one before has a megabyte, and none for no rows", () => {
    const [large, small] = ["x".repeat(700_000), "x"];
    const rowsOfPages = (values: readonly string[]) =>
      encodeColumn(texts(values, { repeats: false }), 0, values.length).pages.map(({ rows }) => rows);
    expect(rowsOfPages([small, large, large, small, large, small, large])).toEqual([3, 4]);
    expect(rowsOfPages([large, large, small])).toEqual([2, 1]);
  });

  it("keeps every byte of texts that are longer than was guessed", async () => {
    // So long that the buffer that was guessed is just full, with characters of three bytes.
    const lengths = [...list(12, (at) => 32_763 + at), 5_000_000];
    for (const text of lengths.map((length) => "€".repeat(length)))
      for (const repeats of [true, false])
        expect((await written([texts([text], { repeats })], 1))[0]?.texts === text, `${text.length}`).toBe(true);
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
