import type { Table } from "../ports/table.ts";
import { decodeCommit } from "./catalogue/commits.ts";
import { getHeadState, getManifestRoot } from "./catalogue/manifests.ts";
import type { ReadParts } from "./catalogue/parts.ts";
import type { Commit, ManifestRoot } from "./catalogue.ts";
import { type Head, readHead } from "./head.ts";
import { commitSk, DUE_SHARDS, dueFrom, dueShard, lakePk } from "./paths.ts";
import { unfoldedCommits, waitingSegments } from "./pin.ts";

/** What a project's commits tell of how soon its events are stored, and of what compaction has left to do. */
export interface Backlog {
  /** The newest commit of the live lane; null where none is left: a commit is deleted a quarter of an hour after compaction took it in. */
  readonly newestLive: Pick<Commit, "at" | "receivedAt"> | null;
  /** Segments that no manifest has taken in, and drains whose changes of persons and groups are not folded. */
  readonly segments: number;
  readonly deltas: number;
  /** When the oldest of them was committed; null where nothing waits. */
  readonly oldestAt: number | null;
  /** There are more commits, or partitions with some, than were looked at. */
  readonly hasMore: boolean;
}

/** Commits that are looked at from the oldest on, and from the newest on where these are not all. */
export const OLDEST_COMMITS = 500;
const NEWEST_COMMITS = 25;

/** Partitions whose manifests are looked at: an import may touch hundreds. */
export const MOST_PARTITIONS = 12;

/** A project's backlog in a bounded number of reads: the head, one or two pages of commits, and manifests of which this process keeps some. */
export const readBacklog = async (parts: ReadParts, project: number): Promise<Backlog> => {
  const [head, { commits, hasMore: hasMoreCommits }] = await Promise.all([
    readHead(parts.table, project),
    readPage(parts.table, project, { limit: OLDEST_COMMITS }),
  ]);
  const newest = hasMoreCommits ? (await readPage(parts.table, project, { limit: NEWEST_COMMITS, descending: true })).commits : commits;
  const partitions = [...new Set(commits.flatMap(({ segments }) => segments.map(({ partition }) => partition)))];
  const looked = partitions.slice(0, MOST_PARTITIONS);
  const [manifests, state] = await Promise.all([readManifests(parts, head, looked), getHeadState(parts.objects, head)]);
  const waiting = waitingSegments(commits, manifests, (partition) => looked.includes(partition));
  const unfolded = unfoldedCommits(commits, state ?? null);
  const times = [...waiting, ...unfolded].map(({ at }) => at);
  return {
    newestLive: newestOf(newest.filter(({ lane }) => lane === "live")),
    segments: waiting.reduce((sum, { segments }) => sum + segments.length, 0),
    deltas: unfolded.length,
    oldestAt: times.length === 0 ? null : Math.min(...times),
    hasMore: hasMoreCommits || looked.length < partitions.length,
  };
};

const newestOf = (commits: readonly Commit[]): Commit | null =>
  commits.reduce<Commit | null>((newest, commit) => (newest !== null && newest.at >= commit.at ? newest : commit), null);

const readPage = async (table: Table, project: number, bounds: { readonly limit: number; readonly descending?: boolean }) => {
  const page = await table.query({ pk: lakePk(project), sk: { prefix: commitSk("") }, consistent: true, ...bounds });
  return { commits: page.items.map(decodeCommit), hasMore: page.cursor !== null };
};

const readManifests = async (parts: ReadParts, { project, manifests }: Head, partitions: readonly string[]) => {
  const found = await Promise.all(
    partitions.map(async (partition) => {
      const id = manifests[partition];
      return id === undefined ? undefined : getManifestRoot(parts.objects, project, partition, id);
    }),
  );
  return new Map(found.flatMap((manifest): readonly [string, ManifestRoot][] => (manifest ? [[manifest.partition, manifest]] : [])));
};

/** Entries of one shard that are looked at for a commit of a lane: behind so many of another lane it is not found. */
const MOST_ENTRIES = 100;

/**
 * Whether any project had a commit of the lane since a moment that is less than a quarter of an hour ago, for so long each stays. A
 * bounded number of reads of the index, which lags a little.
 */
export const hasCommitsSince = async (table: Table, lane: Commit["lane"], since: number): Promise<boolean> => {
  const found = await Promise.all(
    Array.from({ length: DUE_SHARDS }, async (_, shard) => {
      const sk = { from: dueFrom(since) };
      const page = await table.query({ index: "due", pk: dueShard(shard), sk, descending: true, limit: MOST_ENTRIES });
      return page.items.some(({ duesk }) => String(duesk).split("#")[1] === lane);
    }),
  );
  return found.includes(true);
};

/** Whether a project has a commit, which it has from its first event until a while after the first manifest names that. */
export const hasCommit = async (table: Table, project: number): Promise<boolean> =>
  (await table.query({ pk: lakePk(project), sk: { prefix: commitSk("") }, limit: 1, countOnly: true })).count > 0;
