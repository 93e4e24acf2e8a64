import { EVENT_COLUMNS, EVENT_FORMAT, type StoredColumn } from "../../lib/event/event.ts";
import type { FileFacts } from "../../lib/lake/catalogue.ts";
import type { Column } from "../../lib/lake/parquet/parquet-pages.ts";
import { parquetFile, readColumns, type Value } from "../../lib/lake/parquet.ts";
import type { RowFiles } from "../../lib/lake/row-files.ts";
import type { Objects } from "../../lib/ports/objects.ts";
import type { Table } from "../../lib/ports/table.ts";

/**
 * Files of rows as an earlier release merged them, which a lake keeps for years: without quarters of an hour and without columns of
 * properties.
 */
export const earlierRowFiles = (rowFiles: RowFiles, objects: Objects): RowFiles => ({
  ...rowFiles,
  async merge(project, sources, shape, name) {
    const written: FileFacts[] = [];
    for (const { quarterHours: _, ...facts } of await rowFiles.merge(project, sources, shape, name)) {
      const columns = await readColumns((await objects.get(facts.key)) ?? new Uint8Array());
      const own = EVENT_COLUMNS.flatMap((column) => columnOf(column, columns.get(column.name)));
      const { content, footerBytes } = await parquetFile(own, facts.rows, { v: String(EVENT_FORMAT) });
      await objects.put(facts.key, content);
      const footer = Buffer.from(content.subarray(content.length - 8 - footerBytes, content.length - 8)).toString("base64");
      written.push({ ...facts, bytes: content.length, footerBytes, footer });
    }
    return written;
  },
});

/** A table in which no property of a project has a column, as for a release that knows of none. */
export const withoutEarned = (table: Table): Table => ({
  ...table,
  get: async (key, options) => (key.sk === "earned" ? undefined : table.get(key, options)),
});

/** Guarantee of the casts: the values are of a file whose columns have these kinds. Rare columns may be missing. */
const columnOf = ({ name, kind }: StoredColumn, values: ArrayLike<Value> | undefined): readonly Column[] => {
  if (values === undefined) return [];
  const all = Array.from(values);
  switch (kind) {
    case "uuid":
      return [{ name, kind, values: all as string[], repeats: true }];
    case "text":
    case "optional":
      return [{ name, kind: "utf8", values: all as (string | null)[], nullable: kind === "optional", repeats: true }];
    case "number":
      return [{ name, kind: "double", values: all as (number | null)[] }];
    case "boolean":
      return [{ name, kind, values: all as boolean[] }];
    case "timestamp":
    case "int64":
      return [{ name, kind, values: BigInt64Array.from(all as bigint[]) }];
    case "int32":
      return [{ name, kind, values: Int32Array.from(all as number[]) }];
  }
};
