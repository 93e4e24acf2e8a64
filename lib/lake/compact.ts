import { Defect } from "../core/unreachable.ts";
import { absorbing } from "./catalogue/absorbed.ts";
import { readCommits } from "./catalogue/commits.ts";
import { leavesAround, placeFacts, unnamedLeaves } from "./catalogue/leaves.ts";
import { getManifest } from "./catalogue/manifests.ts";
import type { CompactParts } from "./catalogue/parts.ts";
import { type SwapOutcome, swap } from "./catalogue/swap.ts";
import { CATALOGUE_FORMAT, type Commit, type Manifest, readHead } from "./catalogue.ts";
import { gather, type PartitionState, type Proposal } from "./compaction/gather.ts";
import { sealDue, sealTime } from "./compaction/layout.ts";
import { runLayoutStep } from "./compaction/layout-step.ts";
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
}

/** Called after each swap that brought rows of commits into the manifest, before anything else is begun. */
export type GatherListener = () => Promise<void>;

/** Its outcome: how many swaps succeeded, and how the last one ended. `more`: its time was over before the work was. */
export interface CompactionResult {
  readonly swaps: number;
  readonly outcome: SwapOutcome | "more";
}

/**
 * Compacts one partition of a project. Safe to run again and beside itself: only the head's condition decides, and what a lost
 * race wrote is never named. Works in steps of a bounded size, each of which is swapped in, so that what ends it in the middle costs
 * one step. After a lost race it begins anew, because the winner may have done another part of the work.
 */
export const compact = async (
  parts: CompactParts,
  policy: Policy,
  job: Compaction,
  gathered: GatherListener = async () => {},
): Promise<CompactionResult> => {
  let swaps = 0;
  for (let attempt = 1; ; attempt += 1) {
    const done = await compactOnce(parts, policy, job, gathered);
    swaps += done.swaps;
    if (done.outcome !== "lost") return { swaps, outcome: done.outcome };
    if (attempt === RACES)
      throw new Error(`partition ${job.partition} of project ${job.project} changed under ${RACES} tries to compact it`);
  }
};

/** Lost races before a job gives up and is delivered again. */
const RACES = 4;

const compactOnce = async (
  parts: CompactParts,
  policy: Policy,
  { project, partition, upTo, seal }: Compaction,
  gathered: GatherListener,
): Promise<CompactionResult> => {
  const started = parts.clock.now();
  const found = await find(parts, policy, project, partition, started);
  if (found === "removed") return { swaps: 0, outcome: "removed" };
  let manifest = found.manifest;
  for (let swaps = 0; ; swaps += 1) {
    if (parts.clock.now() - started >= policy.stepsWithinMs && swaps > 0) return { swaps, outcome: "more" };
    const proposal =
      (await gather(parts, policy, { ...found, manifest }, upTo)) ??
      (manifest && (await runLayoutStep(parts, policy, project, manifest, started)));
    if (proposal === null) {
      if (seal && manifest?.sealed) await parts.table.remove({ pk: lakePk(project), sk: sealSk(partition) });
      return { swaps, outcome: "done" };
    }
    const placed = await placeFacts(parts, policy, project, manifest, { partition, ...proposal });
    const next = buildManifest(parts, { ...found, manifest }, placed);
    const retired = [...proposal.retired, ...unnamedFooters(manifest, next), ...unnamedLeaves(project, manifest, next)];
    const sealAt = manifest === null ? sealTime(partition, policy, parts.clock.now()) : null;
    const outcome = await swap(parts, policy, project, partition, manifest?.id ?? null, next, { retired, sealAt });
    if (outcome !== "done") return { swaps, outcome };
    if (absorbsMore(manifest, next)) await gathered();
    manifest = next;
  }
};

/** Tries to read a manifest that the head named a moment ago. */
const TRIES = 3;

const find = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  partition: string,
  now: number,
): Promise<PartitionState | "removed"> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const head = await readHead(parts.table, project);
    if (head.removedAt !== null) return "removed";
    const id = head.manifests[partition];
    const commits = await readCommits(parts.table, project);
    const manifest = id === undefined ? null : await readWorkedOn(parts, policy, head.project, { partition, id, commits, now });
    if (manifest !== undefined) return { project, partition, manifest, commits };
  }
  throw new Defect(`the manifest of partition ${partition} of project ${project} is missing`);
};

/** A manifest with the files that may be merged now, and those that share days with them; with all of them when it is to be sealed. */
const readWorkedOn = async (
  { objects }: CompactParts,
  policy: Policy,
  project: number,
  {
    partition,
    id,
    commits,
    now,
  }: { readonly partition: string; readonly id: string; readonly commits: readonly Commit[]; readonly now: number },
): Promise<Manifest | undefined> => {
  const known = await getManifest(objects, project, partition, id, () => false);
  if (known?.leaves === undefined) return known;
  if (sealDue(known, policy, now)) return getManifest(objects, project, partition, id);
  const absorbed = new Set(known.absorbed);
  const waiting = commits.filter((commit) => !absorbed.has(commit.id)).flatMap(({ segments }) => segments);
  const days = waiting.filter((segment) => segment.partition === partition).map((segment) => segment.days);
  const near = leavesAround(known, days);
  return getManifest(objects, project, partition, id, (leaf) => near.has(leaf.id));
};

const absorbsMore = (old: Manifest | null, next: Manifest): boolean => {
  const known = new Set(old?.absorbed);
  return next.absorbed.some((id) => !known.has(id));
};

/** Made when all that it names is written: the stay of commits and the swap's bound of time are counted from here. */
const buildManifest = (
  parts: CompactParts,
  { partition, manifest, commits }: PartitionState,
  proposal: Proposal & Pick<Manifest, "leaves">,
): Manifest => ({
  v: CATALOGUE_FORMAT,
  id: parts.ids.ulid(),
  partition,
  files: proposal.files,
  loose: proposal.loose,
  ...absorbing(manifest, commits, proposal.merged, parts.clock.now()),
  corrections: proposal.corrections,
  sealed: proposal.sealed,
  ...(proposal.leaves && { leaves: proposal.leaves }),
});
