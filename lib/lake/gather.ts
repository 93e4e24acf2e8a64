import { absorbing } from "./absorbed.ts";
import type { Commit, CorrectionRef, FileFacts, Manifest, Segment } from "./catalogue.ts";
import { correctionsOf } from "./corrections.ts";
import { overlap } from "./partition.ts";
import type { CompactParts } from "./parts.ts";
import { eventFileKey } from "./paths.ts";
import type { Policy } from "./policy.ts";
import type { RowSource } from "./row-files.ts";

/** A partition as a job found it: the manifest that the head named first, then all commits. */
export interface Found {
  readonly project: number;
  readonly partition: string;
  readonly manifest: Manifest | null;
  readonly commits: readonly Commit[];
}

/** What a job wants the next manifest to say, and the objects that it no longer names. */
export interface Proposal {
  readonly files: readonly FileFacts[];
  readonly loose: readonly FileFacts[];
  readonly absorbed: readonly string[];
  readonly absorbedAt: readonly number[];
  readonly corrections?: readonly CorrectionRef[];
  readonly sealed: boolean;
  readonly retired: readonly string[];
}

/** Names new files of a partition. */
export const naming =
  (parts: CompactParts, { project, partition }: Pick<Found, "project" | "partition">): (() => string) =>
  () =>
    eventFileKey(project, partition, parts.ids.ulid());

/**
 * The waiting rows become loose files: without duplicates among themselves and without rows that the manifest already has. Does
 * nothing when no commit up to `upTo` waits any more: then another job was here first.
 */
export const gather = async (parts: CompactParts, policy: Policy, found: Found, upTo: string): Promise<Proposal | null> => {
  const { project, partition, manifest, commits } = found;
  const contained = new Set(manifest?.absorbed);
  const merged = commits.filter(({ id, segments }) => !contained.has(id) && segments.some((segment) => segment.partition === partition));
  if (!merged.some(({ id }) => id <= upTo)) return null;
  const segments = merged.flatMap((commit) => commit.segments.filter((segment) => segment.partition === partition));
  const old = { files: manifest?.files ?? [], loose: manifest?.loose ?? [] };
  const near = [...old.files, ...old.loose].filter((file) => segments.some(({ days }) => overlap(days, file.days)));
  const duplicates = await parts.rowFiles.duplicates(project, segments, near);
  const { corrections, retired } = await correctionsOf(parts, project, manifest, commits, merged, partition, duplicates);
  const gathered: FileFacts[] = [];
  for (const sources of inLoads(segments, duplicates, policy.looseRows))
    gathered.push(...(await parts.rowFiles.merge(project, sources, "one", naming(parts, found))));
  return {
    files: old.files,
    loose: [...old.loose, ...gathered],
    ...absorbing(manifest, commits, merged, parts.clock.now()),
    corrections,
    sealed: manifest?.sealed ?? false,
    retired: [...segments.map(({ key }) => key), ...retired],
  };
};

/** The segments that still have rows, in loads of a bounded number of rows. */
const inLoads = (
  segments: readonly Segment[],
  duplicates: ReadonlyMap<string, readonly number[]>,
  most: number,
): readonly RowSource[][] => {
  const loads: RowSource[][] = [];
  let room = 0;
  for (const file of segments) {
    const skip = duplicates.get(file.key) ?? [];
    const rows = file.rows - skip.length;
    if (rows === 0) continue;
    if (rows > room || loads.length === 0) {
      loads.push([]);
      room = most;
    }
    loads.at(-1)?.push({ file, skip });
    room -= rows;
  }
  return loads;
};
