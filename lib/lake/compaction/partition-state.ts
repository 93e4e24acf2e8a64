import { Defect } from "../../core/unreachable.ts";
import { readCommits } from "../catalogue/commits.ts";
import { leavesAround } from "../catalogue/leaves.ts";
import { getManifest } from "../catalogue/manifests.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import type { Commit, Manifest, Removals } from "../catalogue.ts";
import { readHead } from "../head.ts";
import type { Policy } from "../policy.ts";
import { getHeadRemovals } from "../removals.ts";
import { sealDue } from "./layout.ts";

/** A partition as a job found it: the manifest that the head named first, then all commits. */
export interface PartitionState {
  readonly project: number;
  readonly partition: string;
  /** With the files that may be merged now, and those that share days with them; with all of them when it is to be sealed. */
  readonly manifest: Manifest | null;
  readonly commits: readonly Commit[];
  /** The rows that nobody may see: what is made of this state has to be without them. */
  readonly removals: Removals | null;
}

/** Tries to read a manifest that the head named a moment ago. */
const TRIES = 3;

/** How much of a manifest is read: what work at this time needs, or all. */
export type Extent = { readonly kind: "due"; readonly now: number } | { readonly kind: "whole" };

/** A partition as it is now, with as much of its manifest as is asked for. */
export const findPartition = async (
  parts: CompactParts,
  policy: Policy,
  { project, partition }: Pick<PartitionState, "project" | "partition">,
  extent: Extent,
): Promise<PartitionState | "removed"> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const head = await readHead(parts.table, project);
    if (head.removedAt !== null) return "removed";
    const id = head.manifests[partition];
    const commits = await readCommits(parts.table, project);
    const removals = await getHeadRemovals(parts.objects, head);
    if (removals === undefined) continue;
    const found = { project, partition, manifest: null, commits, removals };
    if (id === undefined) return found;
    const manifest =
      extent.kind === "whole"
        ? await getManifest(parts.objects, project, partition, id)
        : await readWorkedOn(parts, policy, found, id, extent.now);
    if (manifest !== undefined) return { ...found, manifest };
  }
  throw new Defect(`the manifest of partition ${partition} of project ${project} is missing`);
};

const readWorkedOn = async (
  { objects }: CompactParts,
  policy: Policy,
  { project, partition, commits }: PartitionState,
  id: string,
  now: number,
): Promise<Manifest | undefined> => {
  const inside = await getManifest(objects, project, partition, id, () => false);
  if (inside?.leaves === undefined) return inside;
  if (sealDue(inside, policy, now)) return getManifest(objects, project, partition, id);
  const absorbed = new Set(inside.absorbed);
  const waiting = commits.filter((commit) => !absorbed.has(commit.id)).flatMap(({ segments }) => segments);
  const days = waiting.filter((segment) => segment.partition === partition).map((segment) => segment.days);
  // What a file may count that has no row left (see `cleanStep`) is of rows in another one of its days, which may lie in another leaf.
  const skipping = inside.leaves.filter(({ skipped }) => skipped !== undefined);
  const near = leavesAround(inside, [...days, ...skipping.map((leaf) => leaf.days)]);
  return getManifest(objects, project, partition, id, ({ id: leaf }) => near.has(leaf));
};
