import { overlap } from "../../event/time-partitions.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import { type Commit, type CorrectionRef, type FileFacts, type Segment, totalBytes } from "../catalogue.ts";
import { recordCorrections } from "../persons/corrections.ts";
import type { Policy } from "../policy.ts";
import { hiddenPlaces } from "../removals.ts";
import type { RowSource, Shape } from "../row-files.ts";
import { mergeRows } from "./merge-rows.ts";
import type { PartitionState } from "./partition-state.ts";

/** The next manifest as a job proposes it, and the objects that it no longer names. */
export interface Proposal {
  readonly files: readonly FileFacts[];
  readonly loose: readonly FileFacts[];
  /** Commits whose rows of the partition it holds, and the manifest before did not. */
  readonly merged: readonly Commit[];
  readonly corrections: readonly CorrectionRef[];
  readonly sealed: boolean;
  readonly retired: readonly string[];
  /** Whether rows of files are skipped by it that were seen before. */
  readonly removes?: true;
  /** Whether they are all that there were, their time being over. */
  readonly expires?: true;
}

/**
 * The waiting rows, or of more than one step holds those of the oldest commits, become loose files: without duplicates among all that wait,
 * without rows that the manifest already has and without those that nobody may see. Does nothing when no commit up to `upTo` waits any
 * more: then another job was here first.
 */
export const gather = async (parts: CompactParts, policy: Policy, found: PartitionState, upTo: string): Promise<Proposal | null> => {
  const { project, partition, manifest, commits, removals } = found;
  const contained = new Set(manifest?.absorbed);
  const waiting = commits.filter(({ id, segments }) => !contained.has(id) && segments.some((segment) => segment.partition === partition));
  if (!waiting.some(({ id }) => id <= upTo)) return null;
  const own = (commit: Commit): readonly Segment[] => commit.segments.filter((segment) => segment.partition === partition);
  const segments = waiting.flatMap(own);
  const old = { files: manifest?.files ?? [], loose: manifest?.loose ?? [] };
  const near = [...old.files, ...old.loose].filter((file) => segments.some(({ days }) => overlap(days, file.days)));
  // Against all that wait: a copy that a reader would not see stays out, also when the one that it sees is gathered by a later step.
  const hidden = await hiddenPlaces(parts.rowFiles, project, { waiting: segments, files: near }, removals);
  const merged = firstThatFit(waiting, own, policy);
  const { corrections, retired } = await recordCorrections(parts, project, manifest, commits, merged, partition, hidden);
  const sources = merged
    .flatMap(own)
    .map((file): RowSource => ({ file, skip: hidden.get(file.key) ?? [] }))
    .filter(({ file, skip }) => skip.length < file.rows);
  const gathered =
    sources.length === 0 ? [] : await mergeRows(parts, found, sources, chooseShape(sources, [...segments, ...near], policy), "loose");
  return {
    files: old.files,
    loose: [...old.loose, ...gathered],
    merged,
    corrections,
    sealed: manifest?.sealed ?? false,
    retired: [...merged.flatMap(own).map(({ key }) => key), ...retired],
  };
};

/** The oldest commits, as many as one step holds, but one at least. */
const firstThatFit = (waiting: readonly Commit[], own: (commit: Commit) => readonly Segment[], policy: Policy): readonly Commit[] => {
  let room = policy.stepBytes;
  const beyond = waiting.findIndex((commit) => {
    room -= totalBytes(own(commit));
    return room < 0;
  });
  return beyond < 0 ? waiting : waiting.slice(0, Math.max(1, beyond));
};

/**
 * What is more than one file, beside more than one step may read, is cut into parts: rewriting a day would drag in all the others. Beside
 * more than a file the rows of the busiest day, which as a rule is today, are kept apart from the few that come late: these would tie
 * all days to it that they reach back to.
 */
const chooseShape = (sources: readonly RowSource[], touched: readonly FileFacts[], policy: Policy): Shape => {
  const isMuch = totalBytes(sources.map(({ file }) => file)) > policy.fileBytes;
  if (isMuch && totalBytes(touched) > policy.stepBytes) return "parts";
  return totalBytes(touched) > policy.fileBytes ? "busiest" : "one";
};
