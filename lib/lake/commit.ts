import { abreast } from "../core/abreast.ts";
import type { World } from "../world/world.ts";
import { CATALOGUE_FORMAT, type Commit, type Segment } from "./catalogue.ts";
import { commitBytes, commitItem, MAX_COMMIT_BYTES } from "./commits.ts";
import { type Deltas, storedDeltas } from "./deltas.ts";
import { distinctRows } from "./distinct-rows.ts";
import { type EventRow, partitionOf, utcDay } from "./event.ts";
import { deltaKey, segmentKey } from "./paths.ts";

/** What committing needs. */
export type CommitParts = Pick<World, "table" | "objects" | "segments" | "clock" | "ids">;

/** The rows and deltas of one project that one drain took from its lane. */
export interface ProjectDrain {
  readonly project: number;
  readonly lane: Commit["lane"];
  readonly rows: readonly EventRow[];
  readonly deltas: Deltas;
}

export interface Committed {
  /** Rows written; those of `rows` that are missing were duplicates. */
  readonly rows: number;
  readonly segments: number;
  readonly bytes: number;
}

/** Segments written and stored side by side. */
const ABREAST = 4;

/**
 * Writes a drain's segments and then one commit that names them all: readers see the drain whole or not at all. Nothing names what a
 * crash leaves behind, and committing the same messages again only adds duplicates, which readers never see.
 */
export const commitDrain = async (parts: CommitParts, { project, lane, rows, deltas }: ProjectDrain): Promise<Committed> => {
  const kept = distinctRows(rows);
  const stored = storedDeltas(deltas, () => deltaKey(project, parts.ids.ulid()));
  if (stored?.object) await parts.objects.put(stored.object.key, stored.object.bytes);
  const segments = await writeSegments(parts, project, byPartition(kept));
  if (segments.length > 0 || stored !== null) await putCommits(parts, project, { lane, segments, deltas: stored?.ref ?? null });
  return { rows: kept.length, segments: segments.length, bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0) };
};

const byPartition = (rows: readonly EventRow[]): ReadonlyMap<string, readonly EventRow[]> => {
  const partitions = new Map<string, EventRow[]>();
  const days = new Map<number, EventRow[]>();
  for (const row of rows) {
    const day = utcDay(row.timestamp);
    let list = days.get(day);
    if (list === undefined) {
      const partition = partitionOf(row.timestamp);
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
  await abreast(partitions, ABREAST, async ([partition, rows]) => {
    const { content, ...facts } = await parts.segments.write(rows);
    const key = segmentKey(project, partition, parts.ids.ulid());
    await parts.objects.put(key, content);
    segments.push({ ...facts, key, partition });
  });
  return segments.sort((a, b) => (a.partition < b.partition ? -1 : 1));
};

/**
 * One item, also where ids and names are so long and so many that it would be too large: then the names are left out, which only
 * means that the segments are opened more often, and if that is not enough the segments go in halves, deltas with the first.
 */
const putCommits = async (parts: CommitParts, project: number, work: Pick<Commit, "lane" | "segments" | "deltas">): Promise<void> => {
  const commit: Commit = { v: CATALOGUE_FORMAT, id: parts.ids.ulid(), at: parts.clock.now(), ...work };
  const item = commitItem(project, commit);
  if (commitBytes(item) <= MAX_COMMIT_BYTES) return parts.table.put(item);
  const { segments, ...rest } = work;
  if (segments.some(({ events }) => events !== null)) {
    return putCommits(parts, project, { ...work, segments: segments.map((segment) => ({ ...segment, events: null })) });
  }
  const half = Math.ceil(segments.length / 2);
  await putCommits(parts, project, { ...rest, segments: segments.slice(0, half) });
  await putCommits(parts, project, { ...rest, deltas: null, segments: segments.slice(half) });
};
