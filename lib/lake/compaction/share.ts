import { crc32 } from "node:zlib";
import { type FileFacts, type Leaf, type Manifest, totalBytes, totalRows } from "../catalogue.ts";
import type { Policy } from "../policy.ts";
import { isShare, type Touching, touchingSets } from "./touching.ts";

/** One of several shares of the merges of a partition, each for a worker of its own; no file belongs to two. */
export interface Share {
  /** From 0 on. The first one gathers and seals, too. */
  readonly at: number;
  readonly of: number;
}

/** All of the work. */
export const WHOLE: Share = Object.freeze({ at: 0, of: 1 });

const owns = ({ at, of }: Share, name: string): boolean => of === 1 || crc32(name) % of === at;

/** Files that share days are one worker's, unless they are so many that a step takes only some of the loose ones: then each of these is. */
export const ownLoose = ({ files, loose, weight }: Touching, share: Share, { stepBytes }: Policy): readonly FileFacts[] => {
  if (weight > stepBytes) return loose.filter(({ key }) => owns(share, key));
  const day = Math.min(...[...files, ...loose].map(({ days }) => days[0]));
  return owns(share, String(day)) ? loose : [];
};

type Files = Pick<Manifest, "files" | "loose" | "leaves">;

/** How many workers the merges that are due in a partition are worth: one for each step. */
export const sharesDue = (manifest: Files, policy: Policy): number => {
  const bytes = dueSets(manifest, policy).reduce((sum, set) => sum + dueBytes(set, policy), 0);
  return Math.max(1, Math.min(policy.shares, Math.floor(bytes / policy.stepBytes)));
};

/** Whether loose rows are to be merged: after shares of the work are done, some may be left that nobody had. */
export const mergesDue = (manifest: Files, policy: Policy): boolean => dueSets(manifest, policy).length > 0;

/** Leaves that were not read are taken for one file each. */
const dueSets = ({ files, loose, leaves = [] }: Files, policy: Policy): readonly Touching[] => {
  const unread = leaves.filter(({ held }) => held === undefined);
  const sets = touchingSets({
    files: [...files, ...unread.filter((leaf) => !leaf.loose).map(asFile)],
    loose: [...loose, ...unread.filter((leaf) => leaf.loose).map(asFile)],
  });
  return sets.filter((set) => isShare(set, policy.rewriteShare, policy.rewriteMinRows));
};

/** Of a set that is more than a step, loose rows become files beside the others until they are too small a share of them. */
const dueBytes = ({ files, loose, weight }: Touching, { stepBytes, rewriteShare }: Policy): number => {
  if (weight <= stepBytes) return weight;
  const rows = (totalRows(loose) - rewriteShare * totalRows(files)) / (1 + rewriteShare);
  return (rows / totalRows(loose)) * totalBytes(loose);
};

const asFile = ({ id, rows, plainBytes, days }: Leaf): FileFacts => ({
  ...{ key: id, bytes: 0, rows, plainBytes, days, times: ["", ""], ids: ["", ""], events: null, usage: {}, footerBytes: 0 },
});
