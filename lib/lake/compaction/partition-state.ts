import { Defect } from "../../core/unreachable.ts";
import { readCommits } from "../catalogue/commits.ts";
import { leavesAround } from "../catalogue/leaves.ts";
import { getManifest } from "../catalogue/manifests.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import { type Commit, type Manifest, readHead } from "../catalogue.ts";
import type { Policy } from "../policy.ts";
import { sealDue } from "./layout.ts";

/** A partition as a job found it: the manifest that the head named first, then all commits. */
export interface PartitionState {
  readonly project: number;
  readonly partition: string;
  /** With the files that may be merged now, and those that share days with them; with all of them when it is to be sealed. */
  readonly manifest: Manifest | null;
  readonly commits: readonly Commit[];
}

/** Tries to read a manifest that the head named a moment ago. */
const TRIES = 3;

/** A partition as it is now, with as much of its manifest as work at this time needs. */
export const findPartition = async (
  parts: CompactParts,
  policy: Policy,
  { project, partition }: Pick<PartitionState, "project" | "partition">,
  now: number,
): Promise<PartitionState | "removed"> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const head = await readHead(parts.table, project);
    if (head.removedAt !== null) return "removed";
    const id = head.manifests[partition];
    const commits = await readCommits(parts.table, project);
    const found = { project, partition, manifest: null, commits };
    if (id === undefined) return found;
    const manifest = await readWorkedOn(parts, policy, found, id, now);
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
  const near = leavesAround(inside, days);
  return getManifest(objects, project, partition, id, (leaf) => near.has(leaf.id));
};
