import { DAY_MS } from "../../core/time.ts";
import { partitionOf } from "../../event/days.ts";
import { settled } from "../../event/usage/settled.ts";
import type { FileFacts } from "../catalogue/catalogue.ts";
import { readHead } from "../catalogue/head.ts";
import { getManifest } from "../catalogue/manifests.ts";
import { overlap } from "../catalogue/partition.ts";
import type { CompactParts } from "../catalogue/parts.ts";
import { readRollUp } from "./roll-ups.ts";
import { dayCountsOf } from "./runs.ts";
import { dayBefore, sumOf } from "./usage.ts";

/** Rows that one recount reads at most: minutes of work. Of a day with more, the other files are believed. */
export const MOST_ROWS = 2_000_000;

/** A day of a project, counted anew. */
export interface Recount {
  /** Rows that were read. */
  readonly rows: number;
  readonly differences: readonly { readonly type: string; readonly stored: number; readonly counted: number }[];
}

/**
 * Counts a UTC day of a project from the rows of its files and compares that with the stored usage, which it leaves as it is. It looks at
 * the manifest that was counted, so what came since is no difference; undefined where none was, or that one is gone.
 */
export const recountDay = async (
  parts: Pick<CompactParts, "table" | "objects" | "rowFiles">,
  { organization, project }: { readonly organization: string; readonly project: number },
  day: number,
  mostRows = MOST_ROWS,
): Promise<Recount | undefined> => {
  const partition = partitionOf(BigInt(day * DAY_MS) * 1_000n);
  const { rollUp } = await readRollUp(parts, organization, partition);
  const entry = rollUp.projects[project];
  const manifest = entry === undefined ? undefined : await getManifest(parts.objects, project, partition, entry.manifest);
  if (entry === undefined || manifest === undefined) return undefined;
  const { rows, files } = await recountFiles(parts, project, [...manifest.files, ...manifest.loose], day, mostRows);
  const { manifests } = await readHead(parts.table, project);
  const counted = settled(sumOf(files), await dayBefore(parts, project, partition, manifests))[day] ?? {};
  const stored = dayCountsOf(entry.runs, rollUp.names, day, day)[day] ?? {};
  const differences = [...new Set([...Object.keys(stored), ...Object.keys(counted)])]
    .map((type) => ({ type, stored: stored[type] ?? 0, counted: counted[type] ?? 0 }))
    .filter((each) => each.stored !== each.counted);
  return { rows, differences };
};

/** The files with the counts of their rows in the place of those that they state, as far as there is room. */
const recountFiles = async (
  { rowFiles }: Pick<CompactParts, "rowFiles">,
  project: number,
  files: readonly FileFacts[],
  day: number,
  mostRows: number,
): Promise<{ readonly rows: number; readonly files: readonly FileFacts[] }> => {
  const recounted: FileFacts[] = [];
  let rows = 0;
  for (const file of files) {
    const isRead = overlap(file.days, [day, day]) && rows + file.rows <= mostRows;
    if (isRead) rows += file.rows;
    recounted.push(isRead ? { ...file, usage: await rowFiles.recount(project, file) } : file);
  }
  return { rows, files: recounted };
};
