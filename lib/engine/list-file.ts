import type { RowList } from "../hogql/row-list.ts";
import { parquetFile } from "../lake/parquet.ts";

/** The rows of a list, at least one, as a Parquet file: engines read it as they read any other. */
export const listFile = async ({ rows, columns }: RowList): Promise<Uint8Array> => {
  const written = columns.map((column) =>
    column.kind === "time"
      ? ({ name: column.name, kind: "timestamp", values: column.values } as const)
      : ({ name: column.name, kind: "utf8", values: column.values, nullable: true, repeats: true } as const),
  );
  return (await parquetFile(written, rows, {})).content;
};
