import type { FileFacts, Manifest } from "./catalogue.ts";
import { overlap, partitionEnd } from "./partition.ts";
import type { Policy } from "./policy.ts";

/** Files to be written anew. */
export interface Selection {
  readonly files: readonly FileFacts[];
  readonly loose: readonly FileFacts[];
}

/** Loose files of one size class that are to become one, or null. Each row is merged once per class at most. */
export const tierOf = (loose: readonly FileFacts[], policy: Policy): readonly FileFacts[] | null => {
  const classes = new Map<number, FileFacts[]>();
  for (const file of loose) {
    const size = Math.floor(Math.log(Math.max(1, file.rows)) / Math.log(policy.tierSpread) + ROUNDING);
    classes.set(size, [...(classes.get(size) ?? []), file]);
  }
  for (const [, files] of [...classes].sort(([a], [b]) => a - b))
    if (files.length >= policy.tierFiles && rowsOf(files) <= policy.looseRows) return files;
  return null;
};

/** What to rewrite: the loose files, with the files they touch, wherever they are a large enough share of them. */
export const rewriteOf = (manifest: Manifest, policy: Policy, now: number): Selection | null => {
  const least = isOver(manifest.partition, policy, now) ? 1 : policy.rewriteMinRows;
  const due = touching(manifest).filter(({ files, loose }) => rowsOf(loose) >= Math.max(least, policy.rewriteShare * rowsOf(files)));
  return due.length === 0 ? null : joined(due);
};

/** What sealing rewrites: all that is loose, or everything where the files are many and small. */
export const sealOf = (manifest: Manifest, policy: Policy): Selection => {
  const { files, loose } = manifest;
  const ideal = Math.ceil((rowsOf(files) + rowsOf(loose)) / policy.fileRows);
  if (files.length > SCATTERED * ideal) return { files, loose };
  return joined(touching(manifest));
};

export const sealDue = (manifest: Manifest, policy: Policy, now: number): boolean =>
  !manifest.sealed && isOver(manifest.partition, policy, now);

/** When a partition is to be sealed; null when that is over already. */
export const sealTime = (partition: string, policy: Policy, now: number): number | null =>
  isOver(partition, policy, now) ? null : partitionEnd(partition) + policy.sealAfterMs;

export const rowsOf = (files: readonly FileFacts[]): number => files.reduce((sum, { rows }) => sum + rows, 0);

/** Sealing puts files together when there are so many times more than needed. */
const SCATTERED = 3;

/** Keeps the logarithm of an exact power from falling into the class below. */
const ROUNDING = 1e-9;

const isOver = (partition: string, policy: Policy, now: number): boolean => now >= partitionEnd(partition) + policy.sealAfterMs;

/** Loose files and the files they touch, in sets that share no day with one another. Files that no loose one touches are in none. */
const touching = ({ files, loose }: Manifest): readonly Selection[] => {
  const tagged = [...files.map((file) => ({ file, isLoose: false })), ...loose.map((file) => ({ file, isLoose: true }))];
  tagged.sort((a, b) => a.file.days[0] - b.file.days[0]);
  const sets: { days: readonly [number, number]; files: FileFacts[]; loose: FileFacts[] }[] = [];
  for (const { file, isLoose } of tagged) {
    let last = sets.at(-1);
    if (last === undefined || !overlap(last.days, file.days)) {
      last = { days: file.days, files: [], loose: [] };
      sets.push(last);
    }
    last.days = [last.days[0], Math.max(last.days[1], file.days[1])];
    (isLoose ? last.loose : last.files).push(file);
  }
  return sets.filter((set) => set.loose.length > 0);
};

const joined = (sets: readonly Selection[]): Selection => ({
  files: sets.flatMap(({ files }) => files),
  loose: sets.flatMap(({ loose }) => loose),
});
