import { writtenVersion } from "../core/formats.ts";
import { absorbing } from "./catalogue/absorbed.ts";
import { placeFacts, unnamedLeaves } from "./catalogue/leaves.ts";
import type { CompactParts } from "./catalogue/parts.ts";
import { type SwapOutcome, swap } from "./catalogue/swap.ts";
import { CATALOGUE_FORMAT, type Manifest, SKIPPING_FORMAT } from "./catalogue.ts";
import { columnStep } from "./compaction/column-step.ts";
import { gather, type Proposal } from "./compaction/gather.ts";
import { sealDue, sealTime } from "./compaction/layout.ts";
import { carryOut, runLayoutStep } from "./compaction/layout-step.ts";
import { type Extent, findPartition, type PartitionState } from "./compaction/partition-state.ts";
import { rebase } from "./compaction/rebase.ts";
import { type Share, sharesDue } from "./compaction/share.ts";
import { earnedBy, readEarned } from "./earned-properties.ts";
import { unnamedFooters } from "./parquet/footers.ts";
import { lakePk, sealSk } from "./paths.ts";
import type { Policy } from "./policy.ts";

/** A compaction job: gather, if a commit up to `upTo` waits, then whatever the partition's files call for. */
export interface Compaction {
  readonly project: number;
  readonly partition: string;
  /** The newest commit that the sweep saw waiting; empty when only the files are to be looked at. */
  readonly upTo: string;
  /** Whether the partition's mark is due: it is taken away once the partition is sealed. */
  readonly seal: boolean;
  /** Which of the merges are this job's; unless told it decides itself among how many they are shared. */
  readonly share?: Share | undefined;
}

/** Whoever is told how a compaction goes on. */
export interface CompactionListener {
  /**
   * After each swap that brought rows of commits into the manifest, before anything else is begun. Where others have gathered what the
   * job was asked to gather, too: whoever did may have ended before it told anybody.
   */
  gathered?(): Promise<void>;
  /** Before the merges begin, where they are worth several workers: asks for all shares but the first, which this job does. */
  shared?(of: number): Promise<void>;
}

/**
 * Its outcome: how many swaps succeeded, and how the last one ended. `more`: its time was over before the work, of which `rest` is left.
 * `lost`: others do the same work, and were quicker again and again.
 */
export type CompactionResult =
  | { readonly swaps: number; readonly outcome: SwapOutcome }
  | { readonly swaps: number; readonly outcome: "more"; readonly rest: Compaction };

/**
 * Compacts one partition of a project. Safe to run again and beside itself: only the head's condition decides, and what a lost
 * race wrote is never named. Works in steps of a bounded size, each of which is swapped in, so that what ends it in the middle costs
 * one step. After a lost race it begins anew, because the winner may have done another part of the work.
 */
export const compact = async (
  parts: CompactParts,
  policy: Policy,
  job: Compaction,
  listener: CompactionListener = {},
): Promise<CompactionResult> => {
  let swaps = 0;
  let share = job.share;
  const chosen: ShareChoice = async ({ manifest }, now) => {
    if (share === undefined) {
      share = { at: 0, of: manifest === null || sealDue(manifest, policy, now) ? 1 : sharesDue(manifest, policy) };
      if (share.of > 1) await listener.shared?.(share.of);
    }
    return share;
  };
  for (let attempt = 1; ; attempt += 1) {
    const done = await compactOnce(parts, policy, job, listener, chosen);
    swaps += done.swaps;
    if (done.outcome === "more") return { ...done, swaps, rest: share === undefined || share.of === 1 ? job : { ...job, share } };
    if (done.outcome !== "lost" || attempt === RACES) return { swaps, outcome: done.outcome };
  }
};

/** Lost races before a job leaves the work to those that win them: whatever they do not come to is asked for again. */
const RACES = 2;

/** Which share of the merges a job does, decided once its rows are gathered. */
type ShareChoice = (found: PartitionState, now: number) => Promise<Share>;

const compactOnce = async (
  parts: CompactParts,
  policy: Policy,
  job: Compaction,
  listener: CompactionListener,
  chosen: ShareChoice,
): Promise<StepsResult> => {
  const now = parts.clock.now();
  const extent: Extent = { kind: "due", now };
  let mayAddColumns = true;
  let hasAddedColumns = false;
  /** Once nothing else is left to be done, of one file a job: whatever else the project asks for goes first. */
  const addColumns = async ({ project, manifest }: PartitionState, { of }: Share): Promise<Proposal | null> => {
    if (!mayAddColumns || of > 1 || manifest === null || manifest.files.length === 0) return null;
    mayAddColumns = false;
    const step = columnStep(manifest, earnedBy(await readEarned(parts.table, project, now), "event"), now);
    hasAddedColumns = step !== null;
    return step && carryOut(parts, { project, manifest }, step);
  };
  let isReported = job.upTo === "";
  const reportGathered = async (): Promise<void> => {
    isReported = true;
    await listener.gathered?.();
  };
  const propose: Propose = async (found) => {
    const gathered = await gather(parts, policy, found, job.upTo);
    if (gathered !== null) return gathered;
    if (!isReported) await reportGathered();
    const share = await chosen(found, now);
    return (await runLayoutStep(parts, policy, found, now, share)) ?? addColumns(found, share);
  };
  const result = await stepByStep(parts, policy, job, extent, propose, {
    gathered: reportGathered,
    async ended({ manifest }) {
      if (job.seal && manifest?.sealed) await parts.table.remove({ pk: lakePk(job.project), sk: sealSk(job.partition) });
    },
  });
  // Where no commit asks, nobody comes back for the next file.
  return result.outcome === "done" && hasAddedColumns && job.upTo === "" ? { ...result, outcome: "more" } : result;
};

/** How many swaps succeeded, and how the last one ended; `more` where its time was over before the work. */
export interface StepsResult {
  readonly swaps: number;
  readonly outcome: SwapOutcome | "more";
}

/** The next step of a partition as it was found; null when nothing is left to be done. */
export type Propose = (found: PartitionState) => Promise<Proposal | null>;

/** Takes one step of a partition after the other, and swaps each in, until there is none, or for as long as the policy says. */
export const stepByStep = async (
  parts: CompactParts,
  policy: Policy,
  { project, partition }: Pick<Compaction, "project" | "partition">,
  extent: Extent,
  propose: Propose,
  listener: Pick<CompactionListener, "gathered"> & { ended?(found: PartitionState): Promise<void> } = {},
): Promise<StepsResult> => {
  const started = parts.clock.now();
  const first = await findPartition(parts, policy, { project, partition }, extent);
  if (first === "removed") return { swaps: 0, outcome: "removed" };
  let found = first;
  for (let swaps = 0; ; swaps += 1) {
    if (parts.clock.now() - started >= policy.stepsWithinMs && swaps > 0) return { swaps, outcome: "more" };
    const proposal = await propose(found);
    if (proposal === null) {
      await listener.ended?.(found);
      return { swaps, outcome: "done" };
    }
    const swapped = await swapIn(parts, policy, found, proposal, extent);
    if (swapped === "lost" || swapped === "removed") return { swaps, outcome: swapped };
    if (proposal.merged.length > 0) await listener.gathered?.();
    found = swapped;
  }
};

/** Tries to swap in the same work: each other job that is quicker has done some, too. */
const SWAPS = 8;

/**
 * Swaps a proposal in, and gives the partition as it is then. Where others were quicker, what they left is read again, and the
 * proposal becomes a change of that, as long as this is right: a conflict repeats the swap, not the work.
 */
const swapIn = async (
  parts: CompactParts,
  policy: Policy,
  found: PartitionState,
  proposal: Proposal,
  extent: Extent,
): Promise<PartitionState | "lost" | "removed"> => {
  const { project, partition } = found;
  const proposed = parts.clock.now();
  let [base, change] = [found, proposal];
  for (let attempt = 1; ; attempt += 1) {
    const { manifest } = base;
    const placed = await placeFacts(parts, policy, project, manifest, { partition, ...change });
    const next = buildManifest(parts, base, placed);
    const retired = [...change.retired, ...unnamedFooters(manifest, next), ...unnamedLeaves(project, manifest, next)];
    const sealAt = manifest === null ? sealTime(partition, policy, parts.clock.now()) : null;
    const outcome = await swap(parts, policy, project, partition, manifest?.id ?? null, next, base.removals, { retired, sealAt });
    if (outcome === "done") return { ...base, manifest: next };
    const isLate = parts.clock.now() - proposed > policy.swapWithinMs;
    if (outcome === "removed" || isLate || attempt === SWAPS) return outcome;
    const now = await findPartition(parts, policy, found, extent);
    if (now === "removed") return now;
    const rebased = rebase(found, proposal, now);
    if (rebased === null) return "lost";
    [base, change] = [now, rebased];
  }
};

/** Made when all that it names is written: the stay of commits and the swap's bound of time are counted from here. */
const buildManifest = (
  parts: CompactParts,
  { partition, manifest, commits }: PartitionState,
  proposal: Proposal & Pick<Manifest, "leaves">,
): Manifest => ({
  v: hasSkipped(proposal) ? Math.max(SKIPPING_FORMAT, writtenVersion(CATALOGUE_FORMAT)) : writtenVersion(CATALOGUE_FORMAT),
  id: parts.ids.ulid(),
  partition,
  files: proposal.files,
  loose: proposal.loose,
  ...absorbing(manifest, commits, proposal.merged, parts.clock.now()),
  corrections: proposal.corrections,
  sealed: proposal.sealed,
  ...removedCount((manifest?.removed ?? 0) + (proposal.removes ? 1 : 0)),
  ...((proposal.expires ?? manifest?.expired) && { expired: true as const }),
  ...(proposal.leaves && { leaves: proposal.leaves }),
});

const removedCount = (removed: number): Pick<Manifest, "removed"> => (removed === 0 ? {} : { removed });

const hasSkipped = ({ files, loose, leaves = [] }: Pick<Manifest, "files" | "loose" | "leaves">): boolean =>
  [...files, ...loose].some(({ skip }) => skip !== undefined) || leaves.some(({ skipped }) => skipped !== undefined);
