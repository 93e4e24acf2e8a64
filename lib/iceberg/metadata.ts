import { Defect } from "../core/unreachable.ts";
import { type Publication, readPublication } from "../lake/published.ts";
import type { Objects } from "../ports/objects.ts";
import type { Table } from "../ports/table.ts";

/** The tables that a project publishes. */
export const TABLE_NAMES = ["events", "persons", "person_distinct_ids"] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** A table as Apache Iceberg describes it, version 2: all of it, since readers get this object as it is. */
export interface TableMetadata {
  readonly "format-version": 2;
  readonly "table-uuid": string;
  readonly location: string;
  readonly "last-sequence-number": number;
  readonly "last-updated-ms": number;
  readonly "last-column-id": number;
  readonly "current-schema-id": number;
  readonly schemas: readonly TableSchema[];
  readonly "default-spec-id": number;
  readonly "partition-specs": readonly PartitionSpec[];
  readonly "last-partition-id": number;
  readonly "default-sort-order-id": 0;
  readonly "sort-orders": readonly [{ readonly "order-id": 0; readonly fields: readonly [] }];
  readonly properties: Readonly<Record<string, string>>;
  readonly "current-snapshot-id": number;
  readonly refs: { readonly main: { readonly "snapshot-id": number; readonly type: "branch" } };
  /** Those of the last week, oldest first. */
  readonly snapshots: readonly Snapshot[];
  readonly "snapshot-log": readonly { readonly "timestamp-ms": number; readonly "snapshot-id": number }[];
  readonly "metadata-log": readonly { readonly "timestamp-ms": number; readonly "metadata-file": string }[];
}

export interface TableSchema {
  readonly type: "struct";
  readonly "schema-id": number;
  readonly fields: readonly SchemaField[];
}

export interface SchemaField {
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
}

export interface PartitionSpec {
  readonly "spec-id": number;
  readonly fields: readonly {
    readonly name: string;
    readonly transform: string;
    readonly "source-id": number;
    readonly "field-id": number;
  }[];
}

export interface Snapshot {
  readonly "snapshot-id": number;
  readonly "parent-snapshot-id"?: number;
  readonly "sequence-number": number;
  readonly "timestamp-ms": number;
  readonly "manifest-list": string;
  readonly summary: SnapshotSummary;
  readonly "schema-id": number;
}

/** Numbers as decimal text. */
export type SnapshotSummary = { readonly operation: "append" | "overwrite" } & Readonly<Record<string, string>>;

/** Where a published table stands; undefined where the project has published none of this name. One consistent read. */
export const readPublished = (table: Table, project: number, name: TableName): Promise<Publication | undefined> =>
  readPublication(table, project, name);

/** The object that a publication names. */
export const readTableMetadata = async (objects: Pick<Objects, "get">, { metadata }: Publication): Promise<TableMetadata> => {
  const bytes = await objects.get(metadata);
  if (bytes === undefined) throw new Defect(`the published metadata ${metadata} is missing`);
  return decodeMetadata(bytes);
};

/** Only `encodeMetadata` makes these objects. */
const decodeMetadata = (bytes: Uint8Array): TableMetadata => JSON.parse(Buffer.from(bytes).toString("utf8"));

export const encodeMetadata = (metadata: TableMetadata): Uint8Array => Buffer.from(JSON.stringify(metadata));
