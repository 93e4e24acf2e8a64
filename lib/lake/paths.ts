import { partitionKey, sortKey } from "../table/partitions.ts";

/** The one formula for object keys and table keys of the lake, used by writer, reader, sweeper and published table. */

export const segmentKey = (project: number, partition: string, ulid: string): string =>
  `${SEGMENT_FOLDER}${project}/${partition}/${ulid}.parquet`;
export const SEGMENT_FOLDER = "fresh/";
export const eventFileKey = (project: number, partition: string, ulid: string): string =>
  `events/project=${project}/month=${partition}/${ulid}.parquet`;
export const manifestKey = (project: number, partition: string, ulid: string): string => `state/${project}/manifests/${partition}/${ulid}`;
export const leafKey = (project: number, partition: string, ulid: string): string => `state/${project}/leaves/${partition}/${ulid}`;
export const footersKey = (project: number, partition: string, ulid: string): string => `state/${project}/footers/${partition}/${ulid}`;
export const deltaKey = (project: number, ulid: string): string => `state/${project}/deltas/${ulid}`;
export const correctionKey = (project: number, ulid: string): string => `state/${project}/corrections/${ulid}`;
/** Who is being erased, until that is done. */
export const erasureKey = (project: number, id: string): string => `state/${project}/erasures/${id}`;
/** What was removed from a project, and what an unfinished removal still has to do. */
export const removalsKey = (project: number, ulid: string): string => `state/${project}/removals/${ulid}`;
export const snapshotKey = (project: number, kind: "persons" | "distinct-ids" | "groups" | "history", ulid: string): string =>
  `state/${project}/${kind}/${ulid}.parquet`;
export const exportKey = (organization: string, ulid: string): string => `exports/${organization}/${ulid}.csv`;
/** A file of rows that somebody asked for, or with `json` what is known of it. */
export const rowsFileKey = (project: number, id: string, ending: string): string => `${rowsFilePrefix(project)}${id}.${ending}`;
const rowsFilePrefix = (project: number): string => `exports/project=${project}/`;
/** The order of the series of a question that is answered in pages; by a digest of it. */
export const seriesOrderKey = (organization: string, digest: string): string => `exports/${organization}/${digest}.order`;
export const pointerKey = (ulid: string): string => `messages/${ulid}`;
export const POINTER_PREFIX = pointerKey("");
/** How far an import by command has come. */
export const importKey = (project: number, id: string): string => `imports/${project}/${id}`;
export const resultKey = (project: number, digest: string): string => `results/${project}/${digest}`;
/** What waits over the state of a project, for an engine that reads the store and not this process; by a digest of it. */
export const waitingKey = (project: number, digest: string): string => `waiting/${project}/${digest}.parquet`;
/** Where the tables of one version of a saved query lie; without a ulid, the beginning that all of them share. */
export const tableKey = (project: number, version: string, ulid: string): string => `tables/${project}/${version}/${ulid}`;

/** Where all tables of a project's saved queries lie. */
export const tablesFolder = (project: number): string => `tables/${project}/`;

/** An object of one of a project's published tables: what describes it, or what is deleted from it. Its files of rows are the lake's own. */
export const publishedKey = (project: number, table: string, folder: "metadata" | "deletes", name: string): string =>
  `${publishedFolder(project, table)}/${folder}/${name}`;
/** The place of a published table, as it says itself. */
export const publishedFolder = (project: number, table: string): string => `${publishedPrefix(project)}${table}`;
const publishedPrefix = (project: number): string => `${PUBLISHED_FOLDER}project=${project}/`;
export const PUBLISHED_FOLDER = "iceberg/";

/** What was uploaded to find a project's sources by; by a name of its own for each upload. */
export const symbolsKey = (project: number, name: string): string => `symbols/${project}/${name}`;

/** The prefixes that hold a project's part of the lake: what the audit lists. */
export const lakePrefixes = (project: number): readonly string[] => [
  `fresh/${project}/`,
  `events/project=${project}/`,
  `state/${project}/`,
  `results/${project}/`,
  `waiting/${project}/`,
  publishedPrefix(project),
];

/** All prefixes that hold objects of one project: what removal deletes. */
export const projectPrefixes = (project: number): readonly string[] => [
  ...lakePrefixes(project),
  tablesFolder(project),
  symbolsKey(project, ""),
  importKey(project, ""),
  rowsFilePrefix(project),
];

export const lakePk = (project: number): string => partitionKey("lake", { project });
export const projectOfPk = (pk: string): number => Number(pk.slice(pk.indexOf("#") + 1));
export const HEAD_SK = sortKey("lake", "head", {});
/** The types of the project's properties. */
export const TYPES_SK = sortKey("lake", "types", {});
export const commitSk = (id: string): string => sortKey("lake", "commit", { id });
export const retiredSk = (id: string): string => sortKey("lake", "retired", { id });

/** The mark of a partition that has to be sealed once its time is over. */
export const sealSk = (month: string): string => sortKey("lake", "seal", { month });

/** The reminder that something of removed rows is left to be done. */
export const REMOVALS_SK = sortKey("lake", "removals", {});

/** The pointer to the metadata of a published table. */
export const publishedSk = (table: string): string => sortKey("lake", "published", { table });
/** The mark that a swap leaves: the project's tables are to be published when this slot of time is over. */
export const publishSk = (slot: string): string => sortKey("lake", "publish", { slot });

/** Waiting work is spread over this many partitions of the `due` index, by project. */
export const DUE_SHARDS = 16;
const projectShard = (project: number): number => project % DUE_SHARDS;
const millis = (at: number): string => String(Math.max(0, Math.floor(at))).padStart(13, "0");

/** `due`: the commits that wait, read whole by each sweep. */
export const dueShard = (shard: number): string => `due#${shard}`;
/** `later`: what has to be looked at when its time has come (retired files, seals, audits), read only up to now. */
export const laterShard = (shard: number): string => `later#${shard}`;
export const dueFrom = (at: number): string => millis(at);
export const laterUpTo = (now: number): string => `${millis(now)}#~`;

/** Index keys of a commit; what follows the time lets a sweep decide without reading the item. */
export const dueKeys = (
  project: number,
  commit: { readonly at: number; readonly lane: "live" | "historical"; readonly rows: number; readonly id: string },
): { readonly duepk: string; readonly duesk: string } => ({
  duepk: dueShard(projectShard(project)),
  duesk: `${millis(commit.at)}#${commit.lane}#${commit.rows}#${commit.id}`,
});

/** The sort key of the record of a job that fails. */
export const failedSk = (task: string): string => sortKey("lake", "failed", { task });
/** The jobs that fail, of all projects: few, so they are in one partition of the index, and each sweep reads it whole. */
export const FAILING_PK = "failing";
export const failingKeys = (project: number, againAt: number, sk: string): { readonly duepk: string; readonly duesk: string } => ({
  duepk: FAILING_PK,
  duesk: `${millis(againAt)}#${project}#${sk}`,
});

/** Index keys of an item that has to be looked at again at a time. */
export const laterKeys = (project: number, at: number, sk: string): { readonly duepk: string; readonly duesk: string } => ({
  duepk: laterShard(projectShard(project)),
  duesk: `${millis(at)}#${project}#${sk}`,
});
