import { describe, expect, it } from "vitest";
import type { Column } from "./parquet/parquet-pages.ts";
import { parquetFile, readColumns, readFooter } from "./parquet.ts";

const list = <T>(rows: number, value: (at: number) => T): T[] => Array.from({ length: rows }, (_, at) => value(at));

const ROWS = 2_000;
const COLUMNS: readonly Column[] = [
  { name: "few", kind: "utf8", values: list(ROWS, (at) => `${at % 3}`), nullable: false, repeats: true },
  { name: "long", kind: "utf8", values: list(ROWS, (at) => (at % 7 ? `text ${at}` : null)), nullable: true, repeats: false },
  { name: "listed", kind: "utf8", values: list(ROWS, (at) => `${"name".repeat(9)} ${at % 900}`), nullable: false, repeats: true },
  { name: "person", kind: "uuid", values: list(ROWS, () => "0190a1b2-c3d4-7e5f-8a9b-000000000001"), repeats: true },
  { name: "uuid", kind: "uuid", values: list(ROWS, () => "0190a1b2-c3d4-7e5f-8a9b-000000000001"), repeats: false },
  { name: "time", kind: "timestamp", values: BigInt64Array.from(list(ROWS, (at) => BigInt(5 + ((at * 7) % ROWS)))) },
  { name: "identity", kind: "int64", values: BigInt64Array.from(list(ROWS, (at) => BigInt(at))) },
  { name: "index", kind: "int32", values: Int32Array.from(list(ROWS, (at) => at)) },
  { name: "flag", kind: "boolean", values: list(ROWS, (at) => at % 2 === 0) },
  { name: "cost", kind: "double", values: list(ROWS, (at) => (at % 3 ? at : null)) },
];

const footerOf = async (columns: readonly Column[], rows: number) => {
  const { content, footerBytes } = await parquetFile(columns, rows, { v: "1" });
  return { content, footerBytes, ...readFooter(content.subarray(content.length - 8 - footerBytes, content.length - 8)) };
};

describe("the footer of a file of columns", () => {
  it("says of each column what other readers need to know of it", async () => {
    const { schema, row_groups, version, created_by, key_value_metadata } = await footerOf(COLUMNS, ROWS);
    expect({ version, created_by, key_value_metadata }).toEqual({
      version: 2,
      created_by: "analytics-platform",
      key_value_metadata: [{ key: "v", value: "1" }],
    });
    expect(schema[0]).toMatchObject({ name: "schema", num_children: COLUMNS.length });
    const text = { type: "BYTE_ARRAY", converted_type: "UTF8" };
    const uuid = { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } };
    const time = { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" } };
    expect(schema.slice(1)).toMatchObject([
      { name: "few", repetition_type: "REQUIRED", ...text },
      { name: "long", repetition_type: "OPTIONAL", ...text },
      { name: "listed", repetition_type: "REQUIRED", ...text },
      { name: "person", repetition_type: "REQUIRED", ...uuid },
      { name: "uuid", repetition_type: "REQUIRED", ...uuid },
      { name: "time", repetition_type: "REQUIRED", ...time },
      { name: "identity", repetition_type: "REQUIRED", type: "INT64" },
      { name: "index", repetition_type: "REQUIRED", type: "INT32" },
      { name: "flag", repetition_type: "REQUIRED", type: "BOOLEAN" },
      { name: "cost", repetition_type: "OPTIONAL", type: "DOUBLE" },
    ]);
    const [plain, listed] = [["PLAIN"], ["PLAIN", "RLE_DICTIONARY"]];
    expect(row_groups[0]?.columns.map(({ meta_data }) => [meta_data?.path_in_schema[0], meta_data?.codec, meta_data?.encodings])).toEqual([
      ["few", "UNCOMPRESSED", listed],
      ["long", "ZSTD", plain],
      ["listed", "ZSTD", listed],
      ["person", "UNCOMPRESSED", listed],
      ["uuid", "UNCOMPRESSED", plain],
      ["time", "ZSTD", plain],
      ["identity", "UNCOMPRESSED", plain],
      ["index", "ZSTD", plain],
      ["flag", "UNCOMPRESSED", plain],
      ["cost", "ZSTD", plain],
    ]);
  });

  it("says where each column lies, one behind the other, and what it takes", async () => {
    const { content, footerBytes, row_groups } = await footerOf(COLUMNS, ROWS);
    let at = 4n;
    let whole = 0n;
    for (const { file_offset, meta_data } of row_groups[0]?.columns ?? []) {
      const { codec, encodings, total_compressed_size: packed = 0n, total_uncompressed_size: plain = 0n } = meta_data ?? {};
      expect(file_offset).toBe(at);
      const isListed = encodings?.includes("RLE_DICTIONARY");
      expect(meta_data?.dictionary_page_offset).toBe(isListed ? at : undefined);
      if (isListed) expect(meta_data?.data_page_offset).toBeGreaterThan(at);
      else expect(meta_data?.data_page_offset).toBe(at);
      if (codec === "UNCOMPRESSED") expect(packed).toBe(plain);
      else expect(packed).toBeLessThan(plain);
      at += packed;
      whole += plain;
    }
    expect(at).toBe(BigInt(content.length - 8 - footerBytes));
    expect(row_groups[0]?.total_byte_size).toBe(whole);
    // Two thirds of the numbers are there, eight bytes each, and a bit for every row; headers take a little.
    const cost = Number(row_groups[0]?.columns.at(-1)?.meta_data?.total_uncompressed_size);
    expect(cost - ((8 * ROWS * 2) / 3 + ROWS / 8)).toBeGreaterThan(0);
    expect(cost - ((8 * ROWS * 2) / 3 + ROWS / 8)).toBeLessThan(64);
  });

  it("says of the times between which they lie, and of nothing else", async () => {
    const { row_groups } = await footerOf(COLUMNS, ROWS);
    const statistics = row_groups[0]?.columns.map(({ meta_data }) => meta_data?.statistics).filter((each) => each !== undefined);
    expect(statistics).toMatchObject([{ null_count: 0n }]);
    const ranges = async (times: readonly bigint[]) => {
      const { row_groups: groups } = await footerOf([{ name: "time", kind: "timestamp", values: BigInt64Array.from(times) }], times.length);
      return groups.flatMap(({ columns }) =>
        columns.map(({ meta_data }) => [instant(meta_data?.statistics?.min_value), instant(meta_data?.statistics?.max_value)]),
      );
    };
    const [early, middle, late] = [2_000_000n, 5_000_000n, 9_000_000n];
    const inAnyOrder = [
      [early, middle, late],
      [late, middle, early],
      [middle, late, early],
      [middle, early, late],
    ];
    for (const times of inAnyOrder) expect(await ranges(times)).toEqual([[2_000, 9_000]]);
    expect(await ranges([...list(100_000, () => middle), early, late])).toEqual([
      [5_000, 5_000],
      [2_000, 9_000],
    ]);
  });

  it.each([
    [0, []],
    [1, [1n]],
    [100_000, [100_000n]],
    [100_001, [100_000n, 1n]],
  ])("of %d rows has no row group without rows", async (rows, groups) => {
    const { row_groups, num_rows } = await footerOf([{ name: "flag", kind: "boolean", values: list(rows, () => true) }], rows);
    expect(row_groups.map((group) => group.num_rows)).toEqual(groups);
    expect(num_rows).toBe(BigInt(rows));
  });
});

const instant = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);

it("the columns of a file are read whole, over all of its pages and row groups", async () => {
  const rows = 100_300;
  const texts = list(rows, (at) => (at % 5 ? `${"text".repeat(9)} ${at}` : null));
  const columns: readonly Column[] = [
    { name: "text", kind: "utf8", values: texts, nullable: true, repeats: false },
    { name: "flag", kind: "boolean", values: list(rows, (at) => at % 3 === 0) },
  ];
  const read = await readColumns((await parquetFile(columns, rows, {})).content);
  expect([...read.keys()]).toEqual(["text", "flag"]);
  for (const { name, values } of columns) {
    const found = Array.from(read.get(name) ?? []);
    expect([found.length, found.findIndex((value, at) => value !== values[at])], name).toEqual([rows, -1]);
  }
});
