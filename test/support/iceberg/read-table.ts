import { readContainer } from "./avro.ts";

/** A file as a snapshot lists it. */
export interface ListedFile {
  /** Key in the store. */
  readonly key: string;
  readonly rows: number;
  readonly bytes: number;
  /** Days since 1970, where its spec is by day. */
  readonly day: number | undefined;
  readonly sequence: number;
  /** Bounds by field id. */
  readonly lower: ReadonlyMap<number, Buffer>;
  readonly upper: ReadonlyMap<number, Buffer>;
}

/** One snapshot of a published table. */
export interface ListedSnapshot {
  readonly id: number;
  readonly files: readonly ListedFile[];
  /** Files of deleted places. */
  readonly deletes: readonly ListedFile[];
  /** Every object that reading it needs, files included. */
  readonly needs: readonly string[];
}

export interface ListedTable {
  // biome-ignore lint/suspicious/noExplicitAny: JSON of the format, read without the product's types.
  readonly metadata: any;
  readonly snapshots: readonly ListedSnapshot[];
  readonly current: ListedSnapshot;
}

type Get = (key: string) => Uint8Array | undefined;

/** A published table, from its metadata on, as any reader of the format finds it; nothing of the product is asked. */
export const readTable = (get: Get, metadataKey: string): ListedTable => {
  const metadata = JSON.parse(Buffer.from(required(get, metadataKey)).toString());
  const snapshots = metadata.snapshots.map((snapshot: SnapshotJson) => readSnapshot(get, snapshot));
  const current = snapshots.find(({ id }: ListedSnapshot) => id === metadata["current-snapshot-id"]);
  if (current === undefined) throw new Error("the current snapshot is not among the snapshots");
  return { metadata, snapshots, current };
};

/** The newest snapshot alone. */
export const readNewest = (get: Get, metadataKey: string): ListedSnapshot => {
  const metadata = JSON.parse(Buffer.from(required(get, metadataKey)).toString());
  return readSnapshot(get, metadata.snapshots.at(-1));
};

interface SnapshotJson {
  readonly "snapshot-id": number;
  readonly "manifest-list": string;
}

interface ManifestRecord {
  readonly manifest_path: string;
  readonly manifest_length: number;
  readonly sequence_number: number;
  readonly partition_spec_id: number;
  readonly content: number;
}

interface Pair {
  readonly key: number;
  readonly value: Buffer;
}

interface EntryRecord {
  readonly status: number;
  readonly sequence_number: number | null;
  readonly data_file: {
    readonly content: number;
    readonly file_path: string;
    readonly record_count: number;
    readonly file_size_in_bytes: number;
    readonly partition: { readonly timestamp_day?: number };
    readonly lower_bounds: readonly Pair[] | null;
    readonly upper_bounds: readonly Pair[] | null;
  };
}

const readSnapshot = (get: Get, snapshot: SnapshotJson): ListedSnapshot => {
  const list = keyOf(snapshot["manifest-list"]);
  const [files, deletes, needs]: [ListedFile[], ListedFile[], string[]] = [[], [], [list]];
  for (const manifest of readContainer(required(get, list)).records as ManifestRecord[]) {
    const key = keyOf(manifest.manifest_path);
    const bytes = required(get, key);
    if (bytes.length !== manifest.manifest_length) throw new Error(`${key} has another length than its list says`);
    const { metadata, records } = readContainer(bytes);
    if (metadata["partition-spec-id"] !== String(manifest.partition_spec_id)) throw new Error(`${key} is of another spec`);
    needs.push(key);
    for (const { status, sequence_number, data_file } of records as EntryRecord[]) {
      if (status === 2) continue;
      const file = listed(data_file, sequence_number ?? manifest.sequence_number);
      needs.push(file.key);
      if (data_file.content !== manifest.content) throw new Error(`${key} lists a file of another content`);
      (data_file.content === 0 ? files : deletes).push(file);
    }
  }
  return { id: snapshot["snapshot-id"], files, deletes, needs };
};

const listed = (file: EntryRecord["data_file"], sequence: number): ListedFile => ({
  key: keyOf(file.file_path),
  rows: file.record_count,
  bytes: file.file_size_in_bytes,
  day: file.partition.timestamp_day,
  sequence,
  lower: new Map(file.lower_bounds?.map(({ key, value }) => [key, value])),
  upper: new Map(file.upper_bounds?.map(({ key, value }) => [key, value])),
});

const keyOf = (uri: string): string => uri.replace(/^s3:\/\/[^/]+\//, "");

const required = (get: Get, key: string): Uint8Array => {
  const bytes = get(key);
  if (bytes === undefined) throw new Error(`${key} is named and gone`);
  return bytes;
};
