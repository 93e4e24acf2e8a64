import type { Head } from "../../lake/catalogue.ts";
import type { Ports } from "../../ports/ports.ts";
import type { DataFile } from "../avro/schemas.ts";
import type { Field } from "../columns.ts";
import type { PartitionSpec, TableName } from "../metadata.ts";

export type PublishParts = Pick<Ports, "table" | "objects" | "clock" | "ids">;

/** Files that change together: those of one entry of the head, by the manifest that it names. */
export interface FileGroup {
  readonly entry: string;
  readonly version: string;
}

/** A table that is published: what it is made of, and how. */
export interface PublishedTable {
  readonly name: TableName;
  readonly fields: readonly Field[];
  /** Columns that files have and the table does not show: some readers refuse a column that they cannot number. */
  readonly unlisted: readonly Omit<Field, "type">[];
  /** All of them; files lie in the one that their partition value fits. */
  readonly specs: readonly PartitionSpec[];
  groups(head: Head): readonly FileGroup[];
  /** The files of a group; undefined where the head is too old. May write files of deletes. */
  files(parts: PublishParts, project: number, group: FileGroup): Promise<readonly DataFile[] | undefined>;
}

/** Files without a partition value. */
export const WHOLE_SPEC: PartitionSpec = { "spec-id": 0, fields: [] };
