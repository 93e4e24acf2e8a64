import { HOUR_MS } from "../../core/time.ts";
import { publishedFolder, publishedKey } from "../../lake/paths.ts";
import type { Policy } from "../../lake/policy.ts";
import { type Publication, publicationItem } from "../../lake/published.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { DAY_FIELD } from "../avro/schemas.ts";
import type { Field } from "../columns.ts";
import { encodeMetadata, type Snapshot, type TableMetadata, type TableSchema } from "../metadata.ts";
import type { PublishedTable, PublishParts } from "../tables/tables.ts";
import { type ColumnsByGroup, NAME_MAPPING, nameMapping, propertyColumns } from "./property-columns.ts";
import type { NextPublication, PublishedBefore } from "./publications.ts";

/** The schema of these columns: one that the table has, else the next. Every column may be absent from a file. */
export const schemaOf = (fields: readonly Field[], before: TableMetadata | undefined): TableSchema => {
  const own = fields.map(({ id, name, type }) => ({ id, name, required: false, type }));
  const known = before?.schemas.find((schema) => JSON.stringify(schema.fields) === JSON.stringify(own));
  if (known) return known;
  const last = Math.max(-1, ...(before?.schemas ?? []).map((schema) => schema["schema-id"]));
  return { type: "struct", "schema-id": last + 1, fields: own };
};

interface Next {
  readonly project: number;
  readonly table: PublishedTable;
  readonly before: PublishedBefore | undefined;
  readonly now: number;
  readonly readAt: number;
}

/** The metadata that name one more snapshot, and no longer those whose time is over. `reads` are of all snapshots, the new one's last. */
export const nextMetadata = (
  parts: PublishParts,
  policy: Policy,
  { project, table, before, now, readAt }: Next,
  { snapshot, schema, columns }: { readonly snapshot: Snapshot; readonly schema: TableSchema; readonly columns: ColumnsByGroup },
  reads: readonly number[],
): { readonly metadata: TableMetadata; readonly listed: readonly number[] } => {
  const old = before?.metadata;
  const first = firstKept(reads, policy, readAt);
  const snapshots = [...(old?.snapshots ?? []), snapshot].slice(first);
  const own = propertyColumns(old, columns, snapshots[0]?.["sequence-number"] ?? 0);
  const mapped = [...table.fields, ...table.unlisted, ...own.fields];
  const schemas = [...(old?.schemas ?? []).filter((each) => each["schema-id"] !== schema["schema-id"]), schema];
  const metadata: TableMetadata = {
    "format-version": 2,
    "table-uuid": old?.["table-uuid"] ?? parts.ids.uuid(),
    location: parts.objects.uri(publishedFolder(project, table.name)),
    "last-sequence-number": snapshot["sequence-number"],
    "last-updated-ms": now,
    "last-column-id": Math.max(old?.["last-column-id"] ?? 0, ...mapped.map(({ id }) => id)),
    "current-schema-id": schema["schema-id"],
    schemas,
    "default-spec-id": table.specs.at(-1)?.["spec-id"] ?? 0,
    "partition-specs": table.specs,
    "last-partition-id": DAY_FIELD.id,
    "default-sort-order-id": 0,
    "sort-orders": [{ "order-id": 0, fields: [] }],
    properties: { [NAME_MAPPING]: nameMapping(mapped), "write.format.default": "parquet", ...own.properties },
    "current-snapshot-id": snapshot["snapshot-id"],
    refs: { main: { "snapshot-id": snapshot["snapshot-id"], type: "branch" } },
    snapshots,
    "snapshot-log": snapshotLog(snapshots),
    "metadata-log": metadataLog(parts, policy, before, now),
  };
  return { metadata, listed: reads.slice(first) };
};

/** The same table without the snapshots whose time is over; the newest one still says what is. */
export const withoutExpired = async (
  parts: PublishParts,
  policy: Policy,
  project: number,
  before: PublishedBefore,
  readAt: number,
): Promise<NextPublication> => {
  const { published, metadata: old } = before;
  const first = firstKept(published.reads, policy, readAt);
  const left = published.reads.slice(first);
  const now = Math.max(parts.clock.now(), old["last-updated-ms"] + 1);
  const snapshots = old.snapshots.slice(first);
  const metadata: TableMetadata = {
    ...old,
    "last-updated-ms": now,
    snapshots,
    "snapshot-log": snapshotLog(snapshots),
    "metadata-log": metadataLog(parts, policy, before, now),
  };
  const key = publishedKey(
    project,
    published.table,
    "metadata",
    `${String(old["last-sequence-number"]).padStart(5, "0")}-${parts.ids.ulid()}.metadata.json`,
  );
  await parts.objects.put(key, encodeMetadata(metadata));
  const { table, snapshot } = published;
  return {
    publication: { table, metadata: key, snapshot, at: now, reads: left.length > 1 ? left : [readAt] },
    replaced: [published.metadata],
  };
};

/** So long a snapshot is not said to hold still, once it was. */
const CONFIRM_EVERY_MS = HOUR_MS;

/**
 * Says that the only snapshot holds of the head as it is now: files that went shortly before it was made can be told from those that it
 * names.
 */
export const confirmed = async (
  { table }: Pick<PublishParts, "table">,
  project: number,
  published: Publication,
  readAt: number,
): Promise<"unchanged" | "lost"> => {
  const [only, ...others] = published.reads;
  if (others.length > 0 || only === undefined || readAt - only < CONFIRM_EVERY_MS) return "unchanged";
  try {
    await table.put(publicationItem(project, { ...published, reads: [readAt] }), {
      kind: "equals",
      attribute: "metadata",
      value: published.metadata,
    });
    return "unchanged";
  } catch (error) {
    if (error instanceof ConditionFailed) return "lost";
    throw error;
  }
};

/** The first snapshot that stays: one goes when it was replaced so long ago. */
export const firstKept = (reads: readonly number[], { snapshotStayMs }: Policy, now: number): number => {
  const first = reads.findIndex((_, at) => at + 1 >= reads.length || (reads[at + 1] ?? now) >= now - snapshotStayMs);
  return Math.max(first, 0);
};

const snapshotLog = (snapshots: readonly Snapshot[]) =>
  snapshots.map((each) => ({ "timestamp-ms": each["timestamp-ms"], "snapshot-id": each["snapshot-id"] }));

const metadataLog = (
  parts: PublishParts,
  policy: Policy,
  before: PublishedBefore | undefined,
  now: number,
): TableMetadata["metadata-log"] => {
  if (before === undefined) return [];
  const { metadata, published } = before;
  const last = { "timestamp-ms": metadata["last-updated-ms"], "metadata-file": parts.objects.uri(published.metadata) };
  return [...metadata["metadata-log"].filter((entry) => entry["timestamp-ms"] >= now - policy.snapshotStayMs), last];
};
