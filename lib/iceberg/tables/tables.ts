import type { Head } from "../../lake/head.ts";
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

/** The files of a group. */
export interface GroupFiles {
  readonly files: readonly DataFile[];
  /** The columns of earned properties that some of them have. */
  readonly columns: readonly string[];
}

/** A table that is published: what it is made of, and how. */
export interface PublishedTable {
  readonly name: TableName;
  readonly fields: readonly Field[];
  /** Columns that files may have and the table does not show, beside those of properties. */
  readonly unlisted: readonly Omit<Field, "type">[];
  /** All of them; files lie in the one that their partition value fits. */
  readonly specs: readonly PartitionSpec[];
  groups(head: Head): readonly FileGroup[];
  /** The files of a group; undefined where the head is too old. May write files of deletes. */
  files(parts: PublishParts, project: number, group: FileGroup): Promise<GroupFiles | undefined>;
}

/** Files without a partition value. */
export const WHOLE_SPEC: PartitionSpec = { "spec-id": 0, fields: [] };
