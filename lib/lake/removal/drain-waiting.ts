import { readCommits } from "../catalogue/commits.ts";
import { getHeadState, getManifestRoot } from "../catalogue/manifests.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import type { Commit, ManifestRoot } from "../catalogue.ts";
import { stepByStep } from "../compact.ts";
import { gather } from "../compaction/gather.ts";
import { fold } from "../fold-persons.ts";
import { readHead } from "../head.ts";
import { unfoldedCommits, waitingSegments } from "../pin.ts";
import type { Policy } from "../policy.ts";

/** Rounds of gathering and folding: others may be quicker, and leave less to do each time. */
const ROUNDS = 20;

/**
 * Gathers and folds all commits that there are: what they said of removed rows is then in no delta that is still to be folded. `more` where
 * there was no time for all of it.
 */
export const drainWaiting = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  inTime: () => boolean,
): Promise<"done" | "more" | "removed"> => {
  const first = await readLeft(parts, project);
  if (first === "removed") return first;
  const upTo = first.commits.at(-1)?.id;
  if (upTo === undefined) return "done";
  for (let round = 1; round <= ROUNDS && inTime(); round += 1) {
    const left = await readLeft(parts, project);
    if (left === "removed") return left;
    const waiting = left.waiting.filter(({ id }) => id <= upTo);
    const unfolded = left.unfolded.filter(({ id }) => id <= upTo);
    if (waiting.length + unfolded.length === 0) return "done";
    for (const partition of new Set(waiting.flatMap(({ segments }) => segments.map((segment) => segment.partition)))) {
      if (!inTime()) return "more";
      const extent = { kind: "due", now: parts.clock.now() } as const;
      await stepByStep(parts, policy, { project, partition }, extent, (found) => gather(parts, policy, found, upTo));
    }
    while (inTime()) {
      const { left: unfoldedLeft, outcome } = await fold(parts, policy, project);
      if (outcome !== "done" || unfoldedLeft === 0) break;
    }
  }
  return "more";
};

interface Left {
  readonly commits: readonly Commit[];
  readonly waiting: readonly Commit[];
  readonly unfolded: readonly Commit[];
}

const readLeft = async (parts: CompactParts, project: number): Promise<Left | "removed"> => {
  const head = await readHead(parts.table, project);
  if (head.removedAt !== null) return "removed";
  const commits = await readCommits(parts.table, project);
  const manifests = new Map<string, ManifestRoot>();
  for (const partition of new Set(commits.flatMap(({ segments }) => segments.map((segment) => segment.partition)))) {
    const id = head.manifests[partition];
    const manifest = id === undefined ? undefined : await getManifestRoot(parts.objects, project, partition, id);
    if (manifest) manifests.set(partition, manifest);
  }
  const state = (await getHeadState(parts.objects, head)) ?? null;
  return { commits, waiting: waitingSegments(commits, manifests), unfolded: unfoldedCommits(commits, state) };
};
