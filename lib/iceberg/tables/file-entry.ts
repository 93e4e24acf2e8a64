import type { DataFile } from "../avro/schemas.ts";
import type { Bounds } from "../bounds.ts";

/** What is known of a column of a file. */
export interface ColumnFacts {
  readonly id: number;
  readonly nulls?: number;
  readonly bounds?: Bounds;
}

/** The facts of a file for a manifest. */
export interface FileEntry {
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  readonly day?: number;
  readonly columns: readonly ColumnFacts[];
}

/** The columns of earned properties that some files have. */
export const earnedOf = (files: readonly { readonly earned?: readonly string[] }[]): readonly string[] => [
  ...new Set(files.flatMap(({ earned = [] }) => earned)),
];

/** A file of rows as manifests list it. */
export const dataFile = ({ path, bytes, rows, day, columns }: FileEntry): DataFile => ({
  content: 0,
  file_path: path,
  file_format: "PARQUET",
  partition: day === undefined ? {} : { timestamp_day: day },
  record_count: rows,
  file_size_in_bytes: bytes,
  value_counts: columns.map(({ id }) => ({ key: id, value: rows })),
  null_value_counts: columns.flatMap(({ id, nulls }) => (nulls === undefined ? [] : [{ key: id, value: nulls }])),
  lower_bounds: columns.flatMap(({ id, bounds }) => (bounds ? [{ key: id, value: bounds.lower }] : [])),
  upper_bounds: columns.flatMap(({ id, bounds }) => (bounds?.upper ? [{ key: id, value: bounds.upper }] : [])),
});
