import { type FileFacts, type Manifest, sortedBytes } from "../catalogue.ts";
import type { Policy } from "../policy.ts";
import { ownLoose, type Share, WHOLE } from "./share.ts";
import { touchingSets } from "./touching.ts";

/**
 * Loose files of one size class that are to become one, or null. Each row is merged once per class at most. They never tie together
 * days whose files are too much for one step: cutting them again would be the next step.
 */
export const nextTier = (
  manifest: Pick<Manifest, "files" | "loose" | "leaves">,
  policy: Policy,
  share: Share = WHOLE,
): readonly FileFacts[] | null => {
  const placed = placedByDay(manifest, policy, share);
  const classes = [...Map.groupBy(placed, ({ file }) => sizeClass(file, policy))].sort(([a], [b]) => a - b);
  for (const [, alike] of classes) {
    for (let start = 0; start + policy.tierFiles <= alike.length; start += 1) {
      const group = groupFrom(alike.slice(start), policy);
      if (group.length >= policy.tierFiles) return group.map(({ file }) => file);
    }
  }
  return null;
};

interface FileOfDay {
  readonly file: FileFacts;
  /** The number of its set of touching files, by day, and the bytes of this set and all before it. */
  readonly set: number;
  readonly weight: number;
  readonly upTo: number;
}

const placedByDay = (manifest: Pick<Manifest, "files" | "loose" | "leaves">, policy: Policy, share: Share): readonly FileOfDay[] => {
  let upTo = 0;
  return touchingSets(manifest).flatMap((touching, set) => {
    const { weight } = touching;
    upTo += weight;
    const before = upTo;
    return ownLoose(touching, share, policy).map((file) => ({ file, set, weight, upTo: before }));
  });
};

const sizeClass = ({ rows }: FileFacts, policy: Policy): number =>
  Math.floor(Math.log(Math.max(1, rows)) / Math.log(policy.tierSpread) + ROUNDING);

/** Keeps the logarithm of an exact power from falling into the class below. */
const ROUNDING = 1e-9;

/** The first file and those after it that may become one with it. */
const groupFrom = ([first, ...others]: readonly FileOfDay[], policy: Policy): readonly FileOfDay[] => {
  if (first === undefined) return [];
  const group = [first];
  let room = policy.fileBytes - sortedBytes(first.file);
  for (const one of others) {
    const tied = one.upTo - first.upTo + first.weight;
    if (one.set !== first.set && tied > policy.stepBytes) break;
    if (sortedBytes(one.file) > room) continue;
    room -= sortedBytes(one.file);
    group.push(one);
  }
  return group;
};
