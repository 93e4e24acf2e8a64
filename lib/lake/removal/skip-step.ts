import type { CompactParts } from "../catalogue/parts.ts";
import { type FileFacts, type Manifest, type Removal, sortedBytes } from "../catalogue.ts";
import type { Proposal } from "../compaction/gather.ts";
import { mergeRows } from "../compaction/merge-rows.ts";
import type { PartitionState } from "../compaction/partition-state.ts";
import type { Policy } from "../policy.ts";
import { isBefore, matchOf } from "../removals.ts";
import { encodeSkipped, joinPlaces, skippedPlaces } from "../skipped-rows.ts";

/** A file of which more than this is to be skipped is written anew at once: what a reader has to leave out stays small beside what it reads. */
const SKIP_BOUNDS = Object.freeze({ rows: 20_000, runs: 2_000, share: 0.5 });

/** The change of one file: its facts with more rows skipped, or the files that take its place. */
interface Change {
  readonly of: FileFacts;
  readonly into: readonly FileFacts[];
}

/** A proposal, and whether nothing is left to be removed once it is swapped in. */
interface SkipStep {
  readonly proposal: Proposal;
  readonly isLast: boolean;
}

/**
 * The next manifest without the rows that a removal means; null when none of its files has any. Most files keep their bytes and skip the rows
 * from now on. What would have to be written anew beyond what one step may read is left to the next.
 */
export const skipStep = async (parts: CompactParts, policy: Policy, found: PartitionState, removal: Removal): Promise<SkipStep | null> => {
  const { manifest, partition } = found;
  if (manifest === null) return null;
  const { changes, isLast } =
    removal.kind === "before"
      ? { changes: allGone(manifest, partition, removal.month), isLast: true }
      : await skipping(parts, policy, found, removal);
  if (changes.length === 0) return null;
  const changed = new Map(changes.map(({ of, into }) => [of.key, into]));
  const replaced = (files: readonly FileFacts[]): readonly FileFacts[] => files.flatMap((file) => changed.get(file.key) ?? [file]);
  const kept = new Set(changes.flatMap(({ into }) => into.map(({ key }) => key)));
  const proposal: Proposal = {
    files: replaced(manifest.files),
    loose: replaced(manifest.loose),
    merged: [],
    corrections: manifest.corrections ?? [],
    sealed: manifest.sealed,
    retired: changes.map(({ of }) => of.key).filter((key) => !kept.has(key)),
    removes: true,
    ...(removal.kind === "before" && { expires: true as const }),
  };
  return { proposal, isLast };
};

const allGone = ({ files, loose }: Manifest, partition: string, month: string): readonly Change[] =>
  isBefore(partition, month) ? [...files, ...loose].map((of) => ({ of, into: [] })) : [];

const skipping = async (
  parts: CompactParts,
  policy: Policy,
  { project, partition, manifest }: PartitionState,
  removal: Removal,
): Promise<{ readonly changes: readonly Change[]; readonly isLast: boolean }> => {
  const files = [...(manifest?.files ?? []), ...(manifest?.loose ?? [])];
  const match = matchOf(removal);
  const found = await parts.rowFiles.matching(project, files, match);
  const touched = files
    .map((file) => ({ file, skip: joinPlaces(skippedPlaces(file), found.get(file.key) ?? []) }))
    .filter(({ file, skip }) => skip.length > (file.skip?.rows ?? 0));
  const usages = await parts.rowFiles.usageLeft(project, touched, match);
  const changes: Change[] = [];
  let room = policy.stepBytes;
  let isLast = true;
  for (const [at, { file: of, skip }] of touched.entries()) {
    const facts: FileFacts = { ...of, skip: encodeSkipped(skip), usage: usages[at] ?? of.usage };
    if (skip.length === of.rows) changes.push({ of, into: Object.keys(facts.usage).length === 0 ? [] : [facts] });
    else if (isSmall(facts)) changes.push({ of, into: [facts] });
    else if (room === policy.stepBytes || sortedBytes(of) <= room) {
      room -= sortedBytes(of);
      changes.push({
        of,
        into: await mergeRows(
          parts,
          { project, partition },
          [{ file: facts, skip }],
          "one",
          manifest?.files.includes(of) ? "files" : "loose",
        ),
      });
    } else isLast = false;
  }
  return { changes, isLast };
};

const isSmall = ({ rows, skip }: FileFacts): boolean =>
  skip !== undefined &&
  skip.rows <= SKIP_BOUNDS.rows &&
  skip.rows <= SKIP_BOUNDS.share * rows &&
  skip.runs.split(" ").length <= SKIP_BOUNDS.runs;
