import { overlap, partitionOnDay, partitionsBeside } from "../../event/time-partitions.ts";
import { type DayCounts, sumUsage } from "../../usage/day-counts.ts";
import { resolveKeyedCounts } from "../../usage/resolve-keyed-counts.ts";
import { type Owner, type ProjectUsage, type RollUp, readRollUp } from "../../usage/roll-ups.ts";
import { decodeRuns } from "../../usage/runs.ts";
import type { FileFacts, Head } from "../catalogue/catalogue.ts";
import { readHead } from "../catalogue/head.ts";
import { getManifest, hasManifest } from "../catalogue/manifests.ts";
import type { CompactParts } from "../catalogue/parts.ts";

/** Rows that one recount reads at most: minutes of work. Of a day with more, what the files state is believed. */
export const MOST_ROWS = 2_000_000;

/** A day of a project, counted anew. */
export interface Recount {
  /** Rows that were read. */
  readonly rows: number;
  /** Where the stored usage is another: UTC day (days since 1970) and type. */
  readonly differences: readonly { readonly day: number; readonly type: string; readonly stored: number; readonly counted: number }[];
}

type Parts = Pick<CompactParts, "table" | "objects" | "rowFiles">;

/**
 * Counts a UTC day of a project from the rows of its files, settles the day's partition of time and the one before anew, and compares both
 * with the stored usage, which it leaves as it is. It looks at the manifests that were counted, so what came since is no difference;
 * undefined where none was.
 */
export const recountDay = async (parts: Parts, owner: Owner, day: number, mostRows = MOST_ROWS): Promise<Recount | undefined> => {
  const { manifests } = await readHead(parts.table, owner.project);
  const read = (partition: string | undefined) => readCounted(parts, owner, partition, manifests);
  const partition = partitionOnDay(day);
  const own = await read(partition);
  if (own?.stored === undefined) return undefined;
  const beside = partitionsBeside(partition);
  const before = await read(beside.before);
  const { rows, counts } = await countAnew(parts, owner.project, own.files, day, mostRows);
  const earlier = fileCounts(before);
  const after = fileCounts(await read(beside.after));
  const differences = compareCounts(own.stored, resolveKeyedCounts(counts, { before: earlier, after }));
  if (beside.before === undefined || before?.stored === undefined) return { rows, differences };
  const farther = fileCounts(await read(partitionsBeside(beside.before).before));
  return {
    rows,
    differences: [...compareCounts(before.stored, resolveKeyedCounts(earlier, { before: farther, after: counts })), ...differences],
  };
};

/** A partition as it was counted. */
interface Counted {
  readonly files: readonly FileFacts[];
  /** Undefined where only the partitions beside it were settled by it. */
  readonly stored: DayCounts | undefined;
}

/**
 * Where the manifest that was counted is gone, its files were merged long ago: those of the head hold the same rows. The store is asked
 * whether it is, because this process may remember what others have removed.
 */
const readCounted = async (
  parts: Parts,
  { organization, project }: Owner,
  partition: string | undefined,
  manifests: Head["manifests"],
): Promise<Counted | undefined> => {
  if (partition === undefined) return undefined;
  const { rollUp } = await readRollUp(parts, organization, partition);
  const entry = rollUp.projects[project];
  const [counted, current] = [entry?.manifest ?? "", manifests[partition] ?? ""];
  const isKept = counted === current || (await hasManifest(parts.objects, project, partition, counted));
  const manifest = await getManifest(parts.objects, project, partition, isKept ? counted : current);
  if (manifest === undefined) return undefined;
  return { files: [...manifest.files, ...manifest.loose], stored: entry?.reaching === undefined ? undefined : storedCounts(entry, rollUp) };
};

const storedCounts = ({ runs }: ProjectUsage, { names }: RollUp): DayCounts =>
  decodeRuns(runs, names, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

const fileCounts = (counted: Counted | undefined): DayCounts => sumUsage(counted?.files ?? []);

const compareCounts = (stored: DayCounts, counted: DayCounts): Recount["differences"] =>
  [...new Set([...Object.keys(stored), ...Object.keys(counted)])].flatMap((day) => {
    const [own, other] = [stored[day] ?? {}, counted[day] ?? {}];
    return [...new Set([...Object.keys(own), ...Object.keys(other)])]
      .map((type) => ({ day: Number(day), type, stored: own[type] ?? 0, counted: other[type] ?? 0 }))
      .filter((each) => each.stored !== each.counted);
  });

/**
 * What files count, of one day by its rows, as far as all of these may be read: of a day that is split, the first file states what the
 * others hold.
 */
const countAnew = async (
  { rowFiles }: Pick<CompactParts, "rowFiles">,
  project: number,
  files: readonly FileFacts[],
  day: number,
  mostRows: number,
): Promise<{ readonly rows: number; readonly counts: DayCounts }> => {
  const stated = sumUsage(files);
  const holding = files.filter(({ days }) => overlap(days, [day, day]));
  const rows = holding.reduce((sum, file) => sum + file.rows, 0);
  if (rows > mostRows) return { rows: 0, counts: stated };
  const recounted: FileFacts[] = [];
  for (const file of holding) recounted.push({ ...file, usage: await rowFiles.recount(project, file) });
  return { rows, counts: { ...stated, [day]: sumUsage(recounted)[day] ?? {} } };
};
