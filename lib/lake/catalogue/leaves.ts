import { overlap } from "../../event/time-partitions.ts";
import { type DayCounts, sumUsage } from "../../usage/day-counts.ts";
import { hasKeyedCounts } from "../../usage/keyed-counts.ts";
import { type FileFacts, type Leaf, type Manifest, totalBytes, totalRows } from "../catalogue.ts";
import { withFootersOutside } from "../parquet/footers.ts";
import { leafKey } from "../paths.ts";
import type { Policy } from "../policy.ts";
import { fileVersion } from "../skipped-rows.ts";
import { putLeaf } from "./manifests.ts";
import type { SwapParts } from "./parts.ts";

type Files = Pick<Manifest, "partition" | "files" | "loose">;

/**
 * Puts the facts of files in their places, before the manifest that names these is written. A leaf all of whose files stand stays as
 * it is, and so does one that was not read; the files of another return inside. What is inside is cut into leaves by days once it is
 * too much. So a swap writes anew what it changes, and no more besides than fits inside.
 */
export const placeFacts = async <T extends Files>(
  parts: SwapParts,
  policy: Policy,
  project: number,
  before: Pick<Manifest, "leaves"> | null,
  next: T,
): Promise<T & Pick<Manifest, "leaves">> => {
  const { partition } = next;
  const standing = standingLeaves(before?.leaves ?? [], next);
  const inLeaves = new Set(standing.flatMap((leaf) => leaf.held ?? []).map(({ key }) => key));
  const inside = (files: readonly FileFacts[]): readonly FileFacts[] => files.filter(({ key }) => !inLeaves.has(key));
  const own = await withFootersOutside(parts, policy, project, { partition, files: inside(next.files), loose: inside(next.loose) });
  const written: Leaf[] = [];
  for (const { loose, files } of cutIntoLeaves(own, policy)) {
    const id = parts.ids.ulid();
    await putLeaf(parts.objects, project, partition, id, files);
    written.push(describeLeaf(id, loose, files));
  }
  const leaves = [...standing, ...written];
  const held = (loose: boolean): readonly FileFacts[] => standing.flatMap((leaf) => (leaf.loose === loose ? (leaf.held ?? []) : []));
  const placed = { ...next, files: [...held(false), ...own.files], loose: [...held(true), ...own.loose] };
  return leaves.length === 0 ? placed : { ...placed, leaves };
};

const standingLeaves = (leaves: readonly Leaf[], next: Files): readonly Leaf[] => {
  const files = new Set(next.files.map(fileVersion));
  const loose = new Set(next.loose.map(fileVersion));
  return leaves.filter((leaf) => leaf.held?.every((file) => (leaf.loose ? loose : files).has(fileVersion(file))) ?? true);
};

interface Cut {
  readonly loose: boolean;
  readonly files: readonly FileFacts[];
}

/** Nothing while all of them may stay inside. */
const cutIntoLeaves = ({ files, loose }: Files, { factsInside, leafBytes }: Policy): readonly Cut[] => {
  if (factBytes([...files, ...loose]) <= factsInside) return [];
  const cut = (list: readonly FileFacts[], isLoose: boolean): readonly Cut[] =>
    [false, true].flatMap((isWide) => {
      const alike = list.filter(({ days: [first, last] }) => last - first >= WIDE_DAYS === isWide);
      return neighbours(alike, leafBytes).map((own) => ({ loose: isLoose, files: own }));
    });
  return [...cut(files, false), ...cut(loose, true)];
};

/** Files of more days than this are put into leaves of their own: one of them would make every reader of a day read all beside it. */
const WIDE_DAYS = 2;

/**
 * Files put together by day until they fill a leaf, as far as possible cut between days: leaves that share a day are read together
 * by whoever works on it. The last ones stay inside if they fill less than half of one.
 */
const neighbours = (files: readonly FileFacts[], leafBytes: number): readonly (readonly FileFacts[])[] => {
  const groups: FileFacts[][] = [];
  let [filled, upTo, isRestOfDay] = [leafBytes, Number.NEGATIVE_INFINITY, false];
  for (const file of files.toSorted((a, b) => a.days[0] - b.days[0])) {
    const isNextDay = file.days[0] > upTo;
    if (filled >= leafBytes || (isNextDay && (isRestOfDay || filled >= leafBytes / 2))) {
      groups.push([]);
      [filled, isRestOfDay] = [0, !isNextDay];
    }
    groups.at(-1)?.push(file);
    filled += factBytes([file]);
    upTo = Math.max(upTo, file.days[1]);
  }
  return filled < leafBytes / 2 ? groups.slice(0, -1) : groups;
};

const factBytes = (files: readonly FileFacts[]): number => files.reduce((sum, file) => sum + JSON.stringify(file).length, 0);

const describeLeaf = (id: string, loose: boolean, files: readonly FileFacts[]): Leaf => {
  const usage = sumUsage(files);
  const skipped = files.reduce((sum, { skip }) => sum + (skip?.rows ?? 0), 0);
  return {
    id,
    loose,
    days: [Math.min(...files.map(({ days }) => days[0])), Math.max(...files.map(({ days }) => days[1]))],
    files: files.length,
    rows: totalRows(files),
    plainBytes: totalBytes(files),
    ...(!hasKeyedCounts(usage) && { usage }),
    footers: [...new Set(files.flatMap(({ footerAt }) => (footerAt ? [footerAt.key] : [])))],
    ...(skipped > 0 && { skipped }),
    held: files,
  };
};

/** The objects of a manifest's leaves. */
export const leafKeys = (project: number, manifest: Pick<Manifest, "partition" | "leaves"> | null): readonly string[] =>
  manifest?.leaves?.map(({ id }) => leafKey(project, manifest.partition, id)) ?? [];

/** Those that the next manifest no longer names. */
export const unnamedLeaves = (project: number, before: Manifest | null, next: Manifest): readonly string[] => {
  const named = new Set(leafKeys(project, next));
  return leafKeys(project, before).filter((key) => !named.has(key));
};

/** What the files of a manifest count, added up: of leaves that were not read, what they say of it. */
export const manifestUsage = ({ files, loose, leaves = [] }: Pick<Manifest, "files" | "loose" | "leaves">): DayCounts =>
  sumUsage([...files, ...loose, ...leaves.flatMap(({ held, usage }) => (held === undefined && usage ? [{ usage }] : []))]);

/**
 * The leaves that work on some days needs: those of these days, all that are loose, and whatever shares a day with one of them, so
 * that no file outside shares a day with what is to be merged.
 */
export const leavesAround = (
  manifest: Pick<Manifest, "loose" | "leaves">,
  days: readonly (readonly [number, number])[],
): ReadonlySet<string> => {
  const leaves = manifest.leaves ?? [];
  const found = new Set<string>();
  let reached = [...days, ...manifest.loose.map((file) => file.days), ...leaves.filter(({ loose }) => loose).map((leaf) => leaf.days)];
  while (reached.length > 0) {
    const near = leaves.filter((leaf) => !found.has(leaf.id) && reached.some((each) => overlap(each, leaf.days)));
    for (const { id } of near) found.add(id);
    reached = near.map((leaf) => leaf.days);
  }
  return found;
};
