import type { CompactParts } from "../catalogue/parts.ts";
import { type FileFacts, type Manifest, type Removal, sortedBytes } from "../catalogue.ts";
import { naming, type Proposal } from "../compaction/gather.ts";
import type { PartitionState } from "../compaction/partition-state.ts";
import type { Policy } from "../policy.ts";
import { isBefore, matchOf } from "../removals.ts";
import { encodeSkipped, joinPlaces, skippedPlaces } from "../skipped-rows.ts";

/** A file of which more than this is to be skipped is written anew at once: what a reader has to leave out stays small beside what it reads. */
export const SKIP_BOUNDS = Object.freeze({ rows: 20_000, runs: 2_000, share: 0.5 });

/** The change of one file: its facts with more rows skipped, or the files that take its place. */
interface Change {
  readonly of: FileFacts;
  readonly into: readonly FileFacts[];
}

/**
 * The next manifest without the rows that a removal means; null when none of its files has any. Most files keep their bytes and skip the rows
 * from now on. What is left to be written anew by a further step, being more than one may read, is found again.
 */
export const skipStep = async (parts: CompactParts, policy: Policy, found: PartitionState, removal: Removal): Promise<Proposal | null> => {
  const { manifest, partition } = found;
  if (manifest === null) return null;
  const changes = removal.kind === "before" ? allGone(manifest, partition, removal.month) : await skipping(parts, policy, found, removal);
  if (changes.length === 0) return null;
  const changed = new Map(changes.map(({ of, into }) => [of.key, into]));
  const replaced = (files: readonly FileFacts[]): readonly FileFacts[] => files.flatMap((file) => changed.get(file.key) ?? [file]);
  const kept = new Set(changes.flatMap(({ into }) => into.map(({ key }) => key)));
  return {
    files: replaced(manifest.files),
    loose: replaced(manifest.loose),
    merged: [],
    corrections: manifest.corrections ?? [],
    sealed: manifest.sealed,
    retired: changes.map(({ of }) => of.key).filter((key) => !kept.has(key)),
    removes: true,
  };
};

const allGone = ({ files, loose }: Manifest, partition: string, month: string): readonly Change[] =>
  isBefore(partition, month) ? [...files, ...loose].map((of) => ({ of, into: [] })) : [];

const skipping = async (
  parts: CompactParts,
  policy: Policy,
  { project, partition, manifest }: PartitionState,
  removal: Removal,
): Promise<readonly Change[]> => {
  const files = [...(manifest?.files ?? []), ...(manifest?.loose ?? [])];
  const found = await parts.rowFiles.matching(project, files, matchOf(removal));
  const changes: Change[] = [];
  let room = policy.stepBytes;
  for (const of of files) {
    const skip = joinPlaces(skippedPlaces(of), found.get(of.key) ?? []);
    if (skip.length === (of.skip?.rows ?? 0)) continue;
    const facts: FileFacts = { ...of, skip: encodeSkipped(skip), usage: await parts.rowFiles.usageLeft(project, { file: of, skip }) };
    if (skip.length === of.rows) changes.push({ of, into: Object.keys(facts.usage).length === 0 ? [] : [facts] });
    else if (isSmall(facts)) changes.push({ of, into: [facts] });
    else if (room === policy.stepBytes || sortedBytes(of) <= room) {
      room -= sortedBytes(of);
      changes.push({ of, into: await parts.rowFiles.merge(project, [{ file: of, skip }], "one", naming(parts, { project, partition })) });
    }
  }
  return changes;
};

const isSmall = ({ rows, skip }: FileFacts): boolean =>
  skip !== undefined &&
  skip.rows <= SKIP_BOUNDS.rows &&
  skip.rows <= SKIP_BOUNDS.share * rows &&
  skip.runs.split(" ").length <= SKIP_BOUNDS.runs;
