import { Defect } from "../../core/unreachable.ts";
import type { Objects } from "../../ports/objects.ts";
import { avroFile, readAvroFile } from "../avro/container.ts";
import { DAY_FIELD, type DataFile, ENTRY_SCHEMAS, LIST_SCHEMA, type ManifestEntry, type ManifestFile, STATUS } from "../avro/schemas.ts";
import type { PartitionSpec, Snapshot, TableSchema } from "../metadata.ts";
import type { FileGroup } from "../tables/tables.ts";

/** What a manifest's name says of it: which files it lists, and of which state of them. */
export interface ManifestName extends FileGroup {
  readonly ulid: string;
}

/** Two manifests of one group differ in spec or content, so both have an ulid of their own. */
export const manifestName = ({ entry, version, ulid }: ManifestName): string => `manifest.${entry}.${version}.${ulid}.avro`;

/** The group that a manifest of ours lists. */
export const groupOfManifest = ({ manifest_path }: ManifestFile): FileGroup => {
  const [, entry = "", version = ""] = manifest_path.slice(manifest_path.lastIndexOf("/") + 1).split(".");
  return { entry, version };
};

/** A manifest with the bytes of its file. */
export interface WrittenManifest {
  readonly file: Omit<ManifestFile, "manifest_path">;
  readonly content: Uint8Array;
}

/** The snapshot that a manifest is written for. */
export interface ManifestContext {
  readonly snapshotId: number;
  readonly sequenceNumber: number;
  readonly schema: TableSchema;
  readonly spec: PartitionSpec;
  /** 0: rows; 1: deletes. */
  readonly content: number;
}

/** A manifest of entries of one spec and content. */
export const encodeManifest = (context: ManifestContext, entries: readonly ManifestEntry[], name: string): WrittenManifest => {
  const { snapshotId, sequenceNumber, schema, spec, content } = context;
  const byDay = spec.fields.length > 0;
  const metadata = {
    schema: JSON.stringify(schema),
    "schema-id": String(schema["schema-id"]),
    "partition-spec": JSON.stringify(spec.fields),
    "partition-spec-id": String(spec["spec-id"]),
    "format-version": "2",
    content: content === 0 ? "data" : "deletes",
  };
  const bytes = avroFile(byDay ? ENTRY_SCHEMAS.byDay : ENTRY_SCHEMAS.whole, metadata, entries, name);
  const [added, existing, deleted] = [STATUS.added, STATUS.existing, STATUS.deleted].map((status) => sums(entries, status));
  const live = entries.filter(isLive);
  return {
    content: bytes,
    file: {
      manifest_length: bytes.length,
      partition_spec_id: spec["spec-id"],
      content,
      sequence_number: sequenceNumber,
      min_sequence_number: Math.min(sequenceNumber, ...live.map(({ sequence_number }) => sequence_number ?? sequenceNumber)),
      added_snapshot_id: snapshotId,
      added_files_count: added?.files ?? 0,
      existing_files_count: existing?.files ?? 0,
      deleted_files_count: deleted?.files ?? 0,
      added_rows_count: added?.rows ?? 0,
      existing_rows_count: existing?.rows ?? 0,
      deleted_rows_count: deleted?.rows ?? 0,
      partitions: byDay ? [daySummary(entries)] : [],
    },
  };
};

export const isLive = ({ status }: ManifestEntry): boolean => status !== STATUS.deleted;

/** The entries of a manifest. Guarantee of the cast: this program wrote them in this shape. */
export const readEntries = async (objects: Store, { manifest_path }: ManifestFile): Promise<readonly ManifestEntry[]> =>
  readAvroFile(await read(objects, manifest_path)).records as readonly ManifestEntry[];

/** The manifests of a snapshot, with the same guarantee. */
export const readManifests = async (objects: Store, snapshot: Snapshot): Promise<readonly ManifestFile[]> =>
  readAvroFile(await read(objects, snapshot["manifest-list"])).records as readonly ManifestFile[];

type Store = Pick<Objects, "get" | "uri">;

/** The key of an object of our own store. */
export const keyInStore = (objects: Pick<Objects, "uri">, uri: string): string => uri.slice(objects.uri("").length);

const read = async (objects: Store, uri: string): Promise<Uint8Array> => {
  const bytes = await objects.get(keyInStore(objects, uri));
  if (bytes === undefined) throw new Defect(`the published object ${uri} is missing`);
  return bytes;
};

/** Bytes of a file that names all manifests of a snapshot. */
export const encodeManifestList = (
  manifests: readonly ManifestFile[],
  snapshot: { readonly id: number; readonly parent: number | undefined; readonly sequenceNumber: number },
  name: string,
): Uint8Array => {
  const metadata = {
    "snapshot-id": String(snapshot.id),
    "parent-snapshot-id": snapshot.parent === undefined ? "null" : String(snapshot.parent),
    "sequence-number": String(snapshot.sequenceNumber),
    "format-version": "2",
  };
  return avroFile(LIST_SCHEMA, metadata, manifests, name);
};

const sums = (entries: readonly ManifestEntry[], status: number): { readonly files: number; readonly rows: number } => {
  const own = entries.filter((entry) => entry.status === status);
  return { files: own.length, rows: own.reduce((sum, { data_file }) => sum + data_file.record_count, 0) };
};

const daySummary = (entries: readonly ManifestEntry[]) => {
  const days = entries.map(({ data_file }) => dayOf(data_file));
  return { contains_null: false, contains_nan: null, lower_bound: int32(Math.min(...days)), upper_bound: int32(Math.max(...days)) };
};

const dayOf = ({ partition }: DataFile): number => partition[DAY_FIELD.name] ?? 0;

const int32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};
