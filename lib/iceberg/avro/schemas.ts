import type { AvroSchema } from "./container.ts";

/**
 * The records of manifests and of manifest lists, in the names and field ids of the format's definition, version 2. Nothing else of the
 * program knows these shapes: `lib/iceberg/snapshots` fills them.
 */

const optional = (name: string, id: number, type: unknown) => ({ name, type: ["null", type], default: null, "field-id": id });
const required = (name: string, id: number, type: unknown) => ({ name, type, "field-id": id });

/** A map whose keys are no texts is a list of pairs. */
const byColumn = (keyId: number, valueId: number, values: string) => ({
  type: "array",
  logicalType: "map",
  items: {
    type: "record",
    name: `k${keyId}_v${valueId}`,
    fields: [required("key", keyId, "int"), required("value", valueId, values)],
  },
});

const listOf = (elementId: number, items: unknown) => ({ type: "array", items, "element-id": elementId });

/** The value of a partition: the day, or nothing where files are not partitioned. */
const partitionRecord = (byDay: boolean) => ({
  type: "record",
  name: "r102",
  fields: byDay ? [optional(DAY_FIELD.name, DAY_FIELD.id, { type: "int", logicalType: "date" })] : [],
});

/** The only partition field. */
export const DAY_FIELD = Object.freeze({ name: "timestamp_day", id: 1_000 });

const entrySchema = (byDay: boolean) => ({
  type: "record",
  name: "manifest_entry",
  fields: [
    required("status", 0, "int"),
    optional("snapshot_id", 1, "long"),
    optional("sequence_number", 3, "long"),
    optional("file_sequence_number", 4, "long"),
    required("data_file", 2, {
      type: "record",
      name: "r2",
      fields: [
        required("content", 134, "int"),
        required("file_path", 100, "string"),
        required("file_format", 101, "string"),
        required("partition", 102, partitionRecord(byDay)),
        required("record_count", 103, "long"),
        required("file_size_in_bytes", 104, "long"),
        optional("column_sizes", 108, byColumn(117, 118, "long")),
        optional("value_counts", 109, byColumn(119, 120, "long")),
        optional("null_value_counts", 110, byColumn(121, 122, "long")),
        optional("nan_value_counts", 137, byColumn(138, 139, "long")),
        optional("lower_bounds", 125, byColumn(126, 127, "bytes")),
        optional("upper_bounds", 128, byColumn(129, 130, "bytes")),
        optional("key_metadata", 131, "bytes"),
        optional("split_offsets", 132, listOf(133, "long")),
        optional("equality_ids", 135, listOf(136, "int")),
        optional("sort_order_id", 140, "int"),
      ],
    }),
  ],
});

const listSchema = {
  type: "record",
  name: "manifest_file",
  fields: [
    required("manifest_path", 500, "string"),
    required("manifest_length", 501, "long"),
    required("partition_spec_id", 502, "int"),
    required("content", 517, "int"),
    required("sequence_number", 515, "long"),
    required("min_sequence_number", 516, "long"),
    required("added_snapshot_id", 503, "long"),
    required("added_files_count", 504, "int"),
    required("existing_files_count", 505, "int"),
    required("deleted_files_count", 506, "int"),
    required("added_rows_count", 512, "long"),
    required("existing_rows_count", 513, "long"),
    required("deleted_rows_count", 514, "long"),
    optional(
      "partitions",
      507,
      listOf(508, {
        type: "record",
        name: "r508",
        fields: [
          required("contains_null", 509, "boolean"),
          optional("contains_nan", 518, "boolean"),
          optional("lower_bound", 510, "bytes"),
          optional("upper_bound", 511, "bytes"),
        ],
      }),
    ),
    optional("key_metadata", 519, "bytes"),
  ],
};

/** Guarantee of the casts: they are Avro schemas with attributes that the library's types do not know. */
export const ENTRY_SCHEMAS = Object.freeze({ byDay: entrySchema(true) as AvroSchema, whole: entrySchema(false) as AvroSchema });
export const LIST_SCHEMA = listSchema as AvroSchema;

interface Pair<V> {
  readonly key: number;
  readonly value: V;
}

/** A file of rows, or of rows' places that are deleted (`content` 1). */
export interface DataFile {
  readonly content: number;
  readonly file_path: string;
  readonly file_format: "PARQUET";
  /** Days since 1970, where files are partitioned by day. */
  readonly partition: { readonly [DAY in typeof DAY_FIELD.name]?: number };
  readonly record_count: number;
  readonly file_size_in_bytes: number;
  readonly value_counts: readonly Pair<number>[] | null;
  readonly null_value_counts: readonly Pair<number>[] | null;
  readonly lower_bounds: readonly Pair<Uint8Array>[] | null;
  readonly upper_bounds: readonly Pair<Uint8Array>[] | null;
}

/** How a snapshot found a file. */
export const STATUS = Object.freeze({ existing: 0, added: 1, deleted: 2 });

export interface ManifestEntry {
  readonly status: number;
  /** The snapshot that added the file, or deleted it. */
  readonly snapshot_id: number;
  /** When the file was added; null in the snapshot that adds it, which says it itself. */
  readonly sequence_number: number | null;
  readonly file_sequence_number: number | null;
  readonly data_file: DataFile;
}

/** A manifest as a manifest list names it. */
export interface ManifestFile {
  readonly manifest_path: string;
  readonly manifest_length: number;
  readonly partition_spec_id: number;
  /** 0: rows; 1: deletes. */
  readonly content: number;
  readonly sequence_number: number;
  readonly min_sequence_number: number;
  readonly added_snapshot_id: number;
  readonly added_files_count: number;
  readonly existing_files_count: number;
  readonly deleted_files_count: number;
  readonly added_rows_count: number;
  readonly existing_rows_count: number;
  readonly deleted_rows_count: number;
  readonly partitions:
    | readonly {
        readonly contains_null: boolean;
        readonly contains_nan: boolean | null;
        readonly lower_bound: Uint8Array | null;
        readonly upper_bound: Uint8Array | null;
      }[]
    | null;
}
