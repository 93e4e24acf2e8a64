import { createHash } from "node:crypto";
import { forEachConcurrent } from "../../core/concurrency.ts";
import { publishedKey } from "../../lake/paths.ts";
import type { Policy } from "../../lake/policy.ts";
import { type DataFile, type ManifestEntry, type ManifestFile, STATUS } from "../avro/schemas.ts";
import { encodeMetadata, type PartitionSpec, type Snapshot, type SnapshotSummary } from "../metadata.ts";
import type { FileGroup, PublishedTable, PublishParts } from "../tables/tables.ts";
import {
  encodeManifest,
  encodeManifestList,
  groupOfManifest,
  isLive,
  keyInStore,
  manifestName,
  readEntries,
  readManifests,
} from "./manifests.ts";
import { tellsColumns } from "./property-columns.ts";
import type { NextPublication, PublishedBefore } from "./publications.ts";
import { nextMetadata, schemaOf } from "./table-metadata.ts";

interface Making {
  readonly project: number;
  readonly table: PublishedTable;
  readonly groups: readonly FileGroup[];
  readonly before: PublishedBefore | undefined;
  readonly readAt: number;
}

/** Objects read or written side by side. */
const CONCURRENCY = 16;

/**
 * Writes a snapshot of the groups: manifests of those that changed, the list of all, and the table's metadata. Undefined where a group's
 * manifest is gone, because the head is too old.
 */
export const buildSnapshot = async (parts: PublishParts, policy: Policy, making: Making): Promise<NextPublication | undefined> => {
  const { project, table, groups, before, readAt } = making;
  const now = Math.max(parts.clock.now(), (before?.metadata["last-updated-ms"] ?? 0) + 1);
  const ulid = parts.ids.ulid();
  const parent = before?.metadata.snapshots.at(-1);
  const snapshot = { id: snapshotId(ulid), parent: parent?.["snapshot-id"], sequenceNumber: (parent?.["sequence-number"] ?? 0) + 1 };
  const place = (name: string): string => publishedKey(project, table.name, "metadata", name);
  const old = parent ? await readManifests(parts.objects, parent) : [];
  const plan = planManifests(old, groups, tellsColumns(before?.metadata));
  const changes: Change[] = [];
  const columns = new Map<string, readonly string[] | undefined>(groups.map(({ entry }) => [entry, undefined]));
  let isStale = false;
  await forEachConcurrent(plan.changed, CONCURRENCY, async ({ group, replaced }) => {
    const found = await table.files(parts, project, group);
    if (found === undefined) {
      isStale = true;
      return;
    }
    columns.set(group.entry, found.columns);
    changes.push({ group, entries: await entriesOf(parts, found.files, replaced, snapshot.id) });
  });
  if (isStale) return undefined;
  const schema = schemaOf(table.fields, before?.metadata);
  const written: ManifestFile[] = [];
  const pieces = changes.flatMap(({ group, entries }) => byManifest(table.specs, entries).map((piece) => ({ group, ...piece })));
  await forEachConcurrent(pieces, CONCURRENCY, async ({ group, spec, content, entries }) => {
    const key = place(manifestName({ ...group, ulid: parts.ids.ulid() }));
    const context = { snapshotId: snapshot.id, sequenceNumber: snapshot.sequenceNumber, schema, spec, content };
    const manifest = encodeManifest(context, entries, key);
    await parts.objects.put(key, manifest.content);
    written.push({ manifest_path: parts.objects.uri(key), ...manifest.file });
  });
  const list = [...plan.kept, ...written].sort((a, b) => (a.manifest_path < b.manifest_path ? -1 : 1));
  const listKey = place(`snap-${snapshot.id}-${ulid}.avro`);
  await parts.objects.put(listKey, encodeManifestList(list, snapshot, listKey));
  const all = changes.flatMap(({ entries }) => entries);
  const next: Snapshot = {
    "snapshot-id": snapshot.id,
    ...(snapshot.parent !== undefined && { "parent-snapshot-id": snapshot.parent }),
    "sequence-number": snapshot.sequenceNumber,
    "timestamp-ms": now,
    "manifest-list": parts.objects.uri(listKey),
    summary: summaryOf(all, parent?.summary),
    "schema-id": schema["schema-id"],
  };
  const reads = [...(before?.published.reads ?? []), readAt];
  const { metadata, listed } = nextMetadata(
    parts,
    policy,
    { project, table, before, now, readAt },
    { snapshot: next, schema, columns },
    reads,
  );
  const metadataKey = place(`${String(snapshot.sequenceNumber).padStart(5, "0")}-${ulid}.metadata.json`);
  await parts.objects.put(metadataKey, encodeMetadata(metadata));
  const droppedManifests = plan.changed.flatMap(({ replaced }) => replaced.map(({ manifest_path }) => manifest_path));
  const droppedDeletes = all.flatMap(({ status, data_file }) =>
    status === STATUS.deleted && data_file.content !== 0 ? [data_file.file_path] : [],
  );
  const replaced = [...droppedManifests, ...plan.empty, ...droppedDeletes, ...(parent ? [parent["manifest-list"]] : [])];
  return {
    publication: { table: table.name, metadata: metadataKey, snapshot: snapshot.id, at: now, reads: listed },
    replaced: [...replaced.map((uri) => keyInStore(parts.objects, uri)), ...(before ? [before.published.metadata] : [])],
  };
};

/** Few enough bits for a number of JSON in every language. */
const SNAPSHOT_BITS = 52;

const snapshotId = (ulid: string): number => {
  const digest = createHash("sha256").update(ulid).digest();
  return Number(BigInt.asUintN(SNAPSHOT_BITS, digest.readBigUInt64BE())) + 1;
};

interface ManifestPlan {
  readonly kept: readonly ManifestFile[];
  /** Groups that are new, of another version or not known well enough, each with the manifests of what it was before. */
  readonly changed: readonly { readonly group: FileGroup; readonly replaced: readonly ManifestFile[] }[];
  /** Manifests that only said what was deleted. */
  readonly empty: readonly string[];
}

const planManifests = (old: readonly ManifestFile[], groups: readonly FileGroup[], areKnown: boolean): ManifestPlan => {
  const known = Map.groupBy(old, (manifest) => groupOfManifest(manifest).entry);
  const kept: ManifestFile[] = [];
  const empty: string[] = [];
  const changed: { group: FileGroup; replaced: readonly ManifestFile[] }[] = [];
  for (const group of groups) {
    const own = known.get(group.entry) ?? [];
    if (!areKnown || own.length === 0 || own.some((manifest) => groupOfManifest(manifest).version !== group.version)) {
      changed.push({ group, replaced: own });
      continue;
    }
    for (const manifest of own)
      if (manifest.added_files_count + manifest.existing_files_count > 0) kept.push(manifest);
      else empty.push(manifest.manifest_path);
  }
  return { kept, changed, empty };
};

interface Change {
  readonly group: FileGroup;
  readonly entries: readonly ManifestEntry[];
}

/** The entries of a group's files: added now, there before, or there before and gone. */
const entriesOf = async (
  parts: PublishParts,
  files: readonly DataFile[],
  replaced: readonly ManifestFile[],
  snapshot: number,
): Promise<readonly ManifestEntry[]> => {
  const before = new Map<string, ManifestEntry>();
  for (const manifest of replaced) {
    for (const entry of await readEntries(parts.objects, manifest)) {
      if (!isLive(entry)) continue;
      const since = entry.sequence_number ?? manifest.sequence_number;
      before.set(entry.data_file.file_path, { ...entry, sequence_number: since, file_sequence_number: since });
    }
  }
  const entries = files.map((data_file): ManifestEntry => {
    const known = before.get(data_file.file_path);
    before.delete(data_file.file_path);
    if (known) return { ...known, status: STATUS.existing, data_file };
    return { status: STATUS.added, snapshot_id: snapshot, sequence_number: null, file_sequence_number: null, data_file };
  });
  const gone = [...before.values()].map((entry): ManifestEntry => ({ ...entry, status: STATUS.deleted, snapshot_id: snapshot }));
  return [...entries, ...gone];
};

interface Piece {
  readonly spec: PartitionSpec;
  readonly content: number;
  readonly entries: readonly ManifestEntry[];
}

/** A manifest lists files of one spec, and either rows or deletes. */
const byManifest = (specs: readonly PartitionSpec[], entries: readonly ManifestEntry[]): readonly Piece[] =>
  specs.flatMap((spec) => {
    const own = entries.filter(({ data_file }) => Object.keys(data_file.partition).length === spec.fields.length);
    return [0, 1].flatMap((content) => {
      const same = own.filter(({ data_file }) => data_file.content === content);
      return same.length === 0 ? [] : [{ spec, content, entries: same }];
    });
  });

const summaryOf = (entries: readonly ManifestEntry[], before: SnapshotSummary | undefined): SnapshotSummary => {
  const change = (name: string, status: number, content: number, value: (file: DataFile) => number) => {
    const own = entries.filter((entry) => entry.status === status && entry.data_file.content === content);
    return [name, own.reduce((sum, { data_file }) => sum + value(data_file), 0)] as const;
  };
  const [added, deleted] = [STATUS.added, STATUS.deleted];
  const one = (): number => 1;
  const rows = ({ record_count }: DataFile): number => record_count;
  const bytes = ({ file_size_in_bytes }: DataFile): number => file_size_in_bytes;
  const changes: Readonly<Record<string, number>> = Object.fromEntries([
    change("added-data-files", added, 0, one),
    change("deleted-data-files", deleted, 0, one),
    change("added-records", added, 0, rows),
    change("deleted-records", deleted, 0, rows),
    change("added-files-size", added, 0, bytes),
    change("removed-files-size", deleted, 0, bytes),
    change("added-delete-files", added, 1, one),
    change("removed-delete-files", deleted, 1, one),
    change("added-position-deletes", added, 1, rows),
    change("removed-position-deletes", deleted, 1, rows),
  ]);
  const total = (name: string, plus: string, minus: string): readonly [string, number] => [
    name,
    Number(before?.[name] ?? 0) + (changes[plus] ?? 0) - (changes[minus] ?? 0),
  ];
  const totals = Object.fromEntries([
    total("total-data-files", "added-data-files", "deleted-data-files"),
    total("total-records", "added-records", "deleted-records"),
    total("total-files-size", "added-files-size", "removed-files-size"),
    total("total-delete-files", "added-delete-files", "removed-delete-files"),
    total("total-position-deletes", "added-position-deletes", "removed-position-deletes"),
    ["total-equality-deletes", 0] as const,
  ]);
  const isAppend = entries.every(({ status, data_file }) => status !== STATUS.deleted && data_file.content === 0);
  return { operation: isAppend ? "append" : "overwrite", ...asText(changes), ...asText(totals) };
};

const asText = (numbers: Readonly<Record<string, number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
