import { forEachConcurrent } from "../core/concurrency.ts";
import { writtenVersion } from "../core/formats.ts";
import { HOUR_MS } from "../core/time.ts";
import { Defect } from "../core/unreachable.ts";
import type { EventRow } from "../event/event.ts";
import { distinctRows } from "../event/identity.ts";
import { partitionAt, utcDay } from "../event/time-partitions.ts";
import type { Ports } from "../ports/ports.ts";
import { commitBytes, commitItem, MAX_COMMIT_BYTES } from "./catalogue/commits.ts";
import { CATALOGUE_FORMAT, type Commit, type Segment } from "./catalogue.ts";
import { deltaKey, segmentKey } from "./paths.ts";
import { type At, type Deltas, gatherDeltas, together } from "./persons/deltas.ts";
import { MOST_INLINE, storedDeltas } from "./persons/stored-deltas.ts";
import type { RowFiles } from "./row-files.ts";
import type { RowChanges } from "./rows.ts";

/** The parts that committing needs. */
export type CommitParts = Pick<Ports, "table" | "objects" | "clock" | "ids"> & { readonly segments: Pick<RowFiles, "write"> };

/** The rows of one project that one drain took from its lane, and what they do to persons and groups. */
export interface ProjectDrain {
  readonly project: number;
  readonly lane: Commit["lane"];
  readonly rows: readonly EventRow[];
  readonly changes: RowChanges;
}

export interface CommitResult {
  /** Rows written; those of `rows` that are missing were duplicates. */
  readonly rows: number;
  readonly segments: number;
  readonly bytes: number;
}

/** Bytes that an item of the table holds: see there. */
export interface CommitSizes {
  /** Bytes of an item that names all of a drain. */
  readonly itemBytes: number;
  /** Deltas whose text is shorter than this travel in it. */
  readonly inlineBytes: number;
}

export const COMMIT_SIZES: CommitSizes = { itemBytes: MAX_COMMIT_BYTES, inlineBytes: MOST_INLINE };

/** Segments written and stored side by side. */
const CONCURRENCY = 4;

/**
 * No drain takes so long, but the machine may have slept meanwhile, or its clock been set: what nobody named for some hours may be taken for
 * what a dead one left, and be deleted.
 */
const COMMIT_WITHIN_MS = HOUR_MS;

/**
 * Writes a drain's segments and then one commit that names them all: readers see the drain whole or not at all. Nothing names what a
 * crash leaves behind, and committing the same messages again only adds duplicates, which readers never see. Throws where the segments
 * may be gone already.
 */
export const commitDrain = async (
  parts: CommitParts,
  { project, lane, rows, changes }: ProjectDrain,
  sizes: CommitSizes = COMMIT_SIZES,
): Promise<CommitResult> => {
  const began = parts.clock.now();
  const kept = distinctRows(rows);
  const partitions = byPartition(kept);
  const segments = await writeSegments(parts, project, partitions);
  if (parts.clock.now() - began > COMMIT_WITHIN_MS) throw new Defect("the machine slept, or its clock was set, while a drain was stored");
  // Persons come from the rows that stay: what a dropped copy says is nobody's.
  const said = (of: readonly Segment[]): Deltas => together(of.map(({ partition }) => rowDeltas(partitions.get(partition) ?? [], changes)));
  const over = (of: readonly Segment[]): number =>
    of.reduce((sum, { partition }) => sum + excessProperties(partitions.get(partition) ?? [], changes), 0);
  if (segments.length > 0) await putCommits(parts, sizes, project, { lane, receivedAt: earliest(kept), segments }, { said, over });
  return { rows: kept.length, segments: segments.length, bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0) };
};

/** When the first of these rows was received, in milliseconds. */
const earliest = (rows: readonly EventRow[]): number => {
  let first = rows[0]?.created_at ?? 0n;
  for (const { created_at } of rows) if (created_at < first) first = created_at;
  return Number(first / 1_000n);
};

/** All that a commit does with rows before it touches a store. Throws what would fail the commit. */
export const encodeDrain = async (
  segments: CommitParts["segments"],
  project: number,
  rows: readonly EventRow[],
  changes: RowChanges,
): Promise<void> => {
  await storedDeltas(project, rowDeltas(rows, changes), () => "");
  await segments.write(rows);
};

const byPartition = (rows: readonly EventRow[]): ReadonlyMap<string, readonly EventRow[]> => {
  const partitions = new Map<string, EventRow[]>();
  const days = new Map<number, EventRow[]>();
  for (const row of rows) {
    const day = utcDay(row.timestamp);
    let list = days.get(day);
    if (list === undefined) {
      const partition = partitionAt(row.timestamp);
      list = partitions.get(partition) ?? [];
      partitions.set(partition, list);
      days.set(day, list);
    }
    list.push(row);
  }
  return partitions;
};

const writeSegments = async (
  parts: CommitParts,
  project: number,
  partitions: ReadonlyMap<string, readonly EventRow[]>,
): Promise<readonly Segment[]> => {
  const segments: Segment[] = [];
  await forEachConcurrent(partitions, CONCURRENCY, async ([partition, rows]) => {
    const { content, ...facts } = await parts.segments.write(rows);
    const key = segmentKey(project, partition, parts.ids.ulid());
    await parts.objects.put(key, content);
    segments.push({ ...facts, key, partition });
  });
  return segments.sort((a, b) => (a.partition < b.partition ? -1 : 1));
};

/** What the rows of segments say of persons and groups, and how many properties were left out of that. */
interface Learnt {
  said(of: readonly Segment[]): Deltas;
  over(of: readonly Segment[]): number;
}

/**
 * One item, also where ids and names are so long and so many that it would be too large: then the names are left out, which only
 * means that the segments are opened more often, and if that is not enough the segments go in halves, each with its own deltas.
 */
const putCommits = async (
  parts: CommitParts,
  sizes: CommitSizes,
  project: number,
  { lane, receivedAt, segments }: Required<Pick<Commit, "lane" | "receivedAt" | "segments">>,
  learnt: Learnt,
): Promise<void> => {
  const stored = await storedDeltas(project, learnt.said(segments), () => deltaKey(project, parts.ids.ulid()), sizes.inlineBytes);
  const deltas = stored?.ref ?? null;
  const over = learnt.over(segments);
  const facts = { v: writtenVersion(CATALOGUE_FORMAT), id: parts.ids.ulid(), at: parts.clock.now(), lane, receivedAt, segments, deltas };
  const commit: Commit = over === 0 ? facts : { ...facts, over };
  const named = commitItem(project, commit);
  const item = commitBytes(named) <= sizes.itemBytes ? named : commitItem(project, withoutNames(commit));
  if (commitBytes(item) <= sizes.itemBytes || segments.length === 1) {
    if (stored?.object) await parts.objects.put(stored.object.key, stored.object.bytes);
    return parts.table.put(item);
  }
  const half = Math.ceil(segments.length / 2);
  await putCommits(parts, sizes, project, { lane, receivedAt, segments: segments.slice(0, half) }, learnt);
  await putCommits(parts, sizes, project, { lane, receivedAt, segments: segments.slice(half) }, learnt);
};

const withoutNames = (commit: Commit): Commit => ({
  ...commit,
  segments: commit.segments.map((segment) => ({ ...segment, events: null })),
});

/** What rows say about persons and groups: of a copy that was dropped nothing is left. */
export const rowDeltas = (rows: Iterable<EventRow>, changes: RowChanges): Deltas => {
  const deltas = gatherDeltas();
  for (const row of rows) {
    if (row.person_mode !== "full") continue;
    const at: At = { time: row.timestamp, index: row.index, uuid: row.uuid };
    deltas.seen(row.distinct_id, at);
    const change = changes.get(row);
    if (change?.person) deltas.person({ at, id: row.distinct_id, ...change.person });
    if (change?.group) deltas.group({ at, ...change.group });
  }
  return deltas.take();
};

/** How many properties of these rows were left out. */
export const excessProperties = (rows: readonly EventRow[], changes: RowChanges): number =>
  rows.reduce((sum, row) => sum + (changes.get(row)?.over ?? 0), 0);
