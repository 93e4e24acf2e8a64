import { overlap, partitionEnd } from "../../event/time-partitions.ts";
import { type FileFacts, type Manifest, sortedBytes, totalBytes, totalRows } from "../catalogue.ts";
import type { Policy } from "../policy.ts";
import type { Shape } from "../row-files.ts";
import { rowsLeft } from "../skipped-rows.ts";
import { ownLoose, type Share, WHOLE } from "./share.ts";
import { nextTier } from "./tier.ts";
import { isShare, type Touching, touchingSets } from "./touching.ts";

/**
 * A part of the work on a partition, to be swapped in by itself. Each set of files is merged apart from the others; together they
 * hold at most `stepBytes`, or are a single file. Every step leaves fewer loose rows, or loose rows in files of fewer days, or fewer
 * files, so that working on a partition comes to an end.
 */
export interface Step {
  readonly merges: readonly (readonly FileFacts[])[];
  readonly shape: Shape;
  readonly into: "files" | "loose";
  /** Whether the partition is sealed with it. */
  readonly seals: boolean;
}

/**
 * The next step: removed rows out of the files, towards the seal, or loose rows into the files they touch, or many loose files into one;
 * null when all is as it should be.
 */
export const nextStep = (manifest: Manifest, policy: Policy, now: number, share: Share = WHOLE): Step | null => {
  const clean = share.at === 0 ? cleanStep(manifest, policy) : null;
  if (clean) return clean;
  if (sealDue(manifest, policy, now)) return share.at === 0 ? sealStep(manifest, policy) : null;
  const rewrite = rewriteStep(manifest, policy, now, share);
  if (rewrite) return rewrite;
  const alike = nextTier(manifest, policy, share);
  return alike && { merges: [alike], shape: "one", into: "loose", seals: false };
};

/**
 * Files whose bytes still hold rows that were removed are written anew without them, as many as a step holds, each by itself. Where no row
 * of one is left, what it may count is of rows in another file of its days, by which a release before counted them, so it goes with that.
 */
export const cleanStep = ({ files, loose }: Manifest, policy: Policy): Step | null => {
  const all = [...files, ...loose];
  const first = all.find(({ skip }) => skip !== undefined);
  if (first === undefined) return null;
  const list = files.includes(first) ? files : loose;
  const merges: FileFacts[][] = [];
  let room = policy.stepBytes;
  for (const file of list) {
    if (file.skip === undefined || merges.some((merge) => merge.includes(file))) continue;
    const wanted = withRows(file, all);
    const joined = merges.find((merge) => wanted.some((one) => merge.includes(one)));
    const added = wanted.filter((one) => !merges.some((merge) => merge.includes(one)));
    if (merges.length > 0 && totalBytes(added) > room) break;
    room -= totalBytes(added);
    if (joined === undefined) merges.push(added);
    else joined.push(...added);
  }
  return { merges, shape: "one", into: list === files ? "files" : "loose", seals: false };
};

/** A file that has rows left; else what lies between it and one that has, by the days that they share, or all that it is tied to in that way. */
const withRows = (file: FileFacts, all: readonly FileFacts[]): readonly FileFacts[] => {
  const tied = [file];
  if (rowsLeft(file) > 0) return tied;
  for (const one of tied) {
    const beside = all.filter((other) => !tied.includes(other) && overlap(other.days, one.days));
    const full = beside.find((other) => rowsLeft(other) > 0);
    if (full !== undefined) return [...tied, full];
    tied.push(...beside);
  }
  return tied;
};

/** Rewrites loose files, with the files they touch, wherever they are a large enough share of them. */
export const rewriteStep = (manifest: Manifest, policy: Policy, now: number, share: Share = WHOLE): Step | null => {
  const least = isOver(manifest.partition, policy, now) ? 1 : policy.rewriteMinRows;
  return fold(touchingSets(manifest), policy, share, (set) => isShare(set, policy.rewriteShare, least));
};

/** Sealing folds in all that is loose, and puts files together where they are many and small. */
export const sealStep = (manifest: Manifest, policy: Policy): Step => {
  const all = [...manifest.files, ...manifest.loose];
  if (isScattered(manifest.files, all, policy) && totalBytes(all) <= policy.stepBytes) return { ...rewriting([all]), seals: true };
  const folding = fold(touchingSets(manifest), policy, WHOLE, ({ loose }) => loose.length > 0);
  const folded = folding?.into === "files" ? folding.merges.flat() : [];
  const isLast = manifest.loose.every((file) => folded.includes(file));
  if (folding) return { ...folding, seals: isLast && !isScattered(manifest.files, all, policy) };
  return isScattered(manifest.files, all, policy) ? gathering(manifest.files, policy) : { ...rewriting([]), seals: true };
};

export const sealDue = (manifest: Pick<Manifest, "partition" | "sealed">, policy: Policy, now: number): boolean =>
  !manifest.sealed && isOver(manifest.partition, policy, now);

/** When a partition is to be sealed; null when that is over already. */
export const sealTime = (partition: string, policy: Policy, now: number): number | null =>
  isOver(partition, policy, now) ? null : partitionEnd(partition) + policy.sealAfterMs;

/** Sealing puts files together when there are so many times more than needed. */
const SCATTERED = 3;

const isOver = (partition: string, policy: Policy, now: number): boolean => now >= partitionEnd(partition) + policy.sealAfterMs;

const isScattered = (files: readonly FileFacts[], all: readonly FileFacts[], policy: Policy): boolean =>
  files.length > SCATTERED * Math.ceil(Math.max(totalRows(all) / policy.fileRows, totalBytes(all) / policy.fileBytes));

const rewriting = (merges: readonly (readonly FileFacts[])[]): Step => ({ merges, shape: "days", into: "files", seals: false });

/** Folds as many of a share's sets that are due as one step holds; if each is too large for one, a part of the first. */
const fold = (sets: readonly Touching[], policy: Policy, share: Share, allDue: (set: Touching) => boolean): Step | null => {
  const isDue = (set: Touching): boolean => allDue(set) && ownLoose(set, share, policy).length > 0;
  const merges: FileFacts[][] = [];
  let room = policy.stepBytes;
  let before = false;
  for (const set of sets) {
    const takes = isDue(set) && set.weight <= room;
    if (takes) {
      // Neighbours become files together; what lies between others stays between them.
      if (!before) merges.push([]);
      merges.at(-1)?.push(...set.files, ...set.loose);
      room -= set.weight;
    }
    before = takes;
  }
  if (merges.length > 0) return rewriting(merges);
  const first = sets.find(isDue);
  return first ? takePart(ownLoose(first, share, policy), policy) : null;
};

/**
 * Of loose files that with what they touch are too much for a step: those of several days are cut first, so that the next steps can
 * take a day at a time. Of a day that is too much by itself they become files beside the others, which then stay as they are.
 */
const takePart = (loose: readonly FileFacts[], policy: Policy): Step => {
  const wide = loose.filter(({ days: [first, last] }) => first < last);
  if (wide.length > 0)
    return { merges: fitting(wide, policy.stepBytes).map((file) => [file]), shape: "parts", into: "loose", seals: false };
  return rewriting([fitting(loose, policy.stepBytes)]);
};

/** The first files, as many as fit, but one at least. */
const fitting = (files: readonly FileFacts[], bytes: number): readonly FileFacts[] => {
  let room = bytes;
  const beyond = files.findIndex((file) => {
    room -= sortedBytes(file);
    return room < 0;
  });
  return beyond < 0 ? files : files.slice(0, Math.max(1, beyond));
};

/** Neighbours that fit into one file together become one, as many as a step holds; seals when there are none. */
const gathering = (files: readonly FileFacts[], policy: Policy): Step => {
  const groups: FileFacts[][] = [];
  for (const file of files.toSorted((a, b) => a.days[0] - b.days[0])) {
    const last = groups.at(-1) ?? [];
    const together = [...last, file];
    if (last.length > 0 && totalRows(together) <= policy.fileRows && totalBytes(together) <= policy.fileBytes) last.push(file);
    else groups.push([file]);
  }
  const merges: FileFacts[][] = [];
  let room = policy.stepBytes;
  for (const group of groups) {
    if (group.length === 1 || totalBytes(group) > room) continue;
    merges.push(group);
    room -= totalBytes(group);
  }
  return { ...rewriting(merges), seals: merges.length === 0 };
};
