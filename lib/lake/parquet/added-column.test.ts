import fc from "fast-check";
import { expect, it } from "vitest";
import { addedColumn, parquetFile, readColumns, readFooter } from "../parquet.ts";
import type { Column } from "./parquet-pages.ts";

const flags = (rows: number, every: number): Column => ({
  ...{ name: "is seen", kind: "boolean" },
  values: Array.from({ length: rows }, (_, at) => at % every !== 0),
});

const numbers = (name: string, rows: number): Column => ({ name, kind: "int32", values: Int32Array.from({ length: rows }, (_, at) => at) });

/** Lists of more than fourteen say their length in another way. */
const someColumns = fc.integer({ min: 1, max: 18 });

const added = async (columns: readonly Column[], rows: number, every: number) => {
  const { content, footerBytes } = await parquetFile(columns, rows, { v: "7" });
  const metadata = content.subarray(content.length - 8 - footerBytes, content.length - 8);
  const end = await addedColumn(metadata, content.length, flags(rows, every));
  const length = Buffer.from(end).readUInt32LE(end.length - 8);
  return { content: Buffer.concat([content, end]), before: readFooter(metadata), after: readFooter(end.subarray(-8 - length, -8)) };
};

it("adds a column to a file, and leaves all others and what is said of them as they were", async () => {
  await fc.assert(
    fc.asyncProperty(someColumns, fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 40 }), async (count, rows, every) => {
      const columns = Array.from({ length: count }, (_, at) => numbers(`c${at}`, rows));
      const { content, before, after } = await added(columns, rows, every);
      const read = await readColumns(content);
      expect([...read.keys()]).toEqual([...columns.map(({ name }) => name), "is seen"]);
      for (const { name, values } of [...columns, flags(rows, every)]) expect([...Array.from(read.get(name) ?? [])]).toEqual([...values]);
      expect(after.schema.slice(1, -1)).toEqual(before.schema.slice(1));
      expect(after.row_groups.map(({ columns: own }) => own.slice(0, -1))).toEqual(before.row_groups.map(({ columns: own }) => own));
      expect(after).toMatchObject({ version: before.version, num_rows: before.num_rows, key_value_metadata: before.key_value_metadata });
    }),
    { numRuns: 40 },
  );
});

it("adds it to each row group", async () => {
  const rows = 200_001;
  const { content, after } = await added([numbers("c", rows)], rows, 1_000);
  expect(after.row_groups.map(({ columns }) => columns.length)).toEqual([2, 2, 2]);
  const read = (await readColumns(content)).get("is seen");
  const unseen = Array.from(read ?? []).flatMap((seen, at) => (seen ? [] : [at]));
  expect(unseen).toEqual(Array.from({ length: 201 }, (_, at) => at * 1_000));
});
