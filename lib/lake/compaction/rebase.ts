import { type Manifest, totalRows } from "../catalogue.ts";
import type { Proposal } from "./gather.ts";
import type { PartitionState } from "./partition-state.ts";

/**
 * A proposal as a change of another manifest than the one that it was made for: others swapped in between. Null where that would not
 * be right, and the work is to be done again: they merged a file that this one merges, too, or gathered rows.
 *
 * A merge holds the rows of the files that it replaces, so wherever these still stand it may replace them. What is gathered was
 * compared with all files that there were; merges move rows from file to file, so it is free of duplicates among those that stand
 * now as long as no row has come to them.
 */
export const rebase = (found: PartitionState, proposal: Proposal, now: PartitionState): Proposal | null => {
  const [before, base] = [found.manifest, now.manifest];
  if (proposal.sealed && before?.sealed !== true) return null;
  const absorbed = new Set(base?.absorbed);
  const waiting = new Set(now.commits.map(({ id }) => id));
  if (proposal.merged.some(({ id }) => absorbed.has(id) || !waiting.has(id))) return null;
  if (proposal.merged.length > 0 && rowsIn(base) !== rowsIn(before)) return null;
  const files = withChange(before?.files ?? [], proposal.files, base?.files ?? []);
  const loose = withChange(before?.loose ?? [], proposal.loose, base?.loose ?? []);
  const corrections = withChange(before?.corrections ?? [], proposal.corrections, base?.corrections ?? [], "may be gone");
  if (files === null || loose === null || corrections === null) return null;
  return { ...proposal, files, loose, corrections, sealed: base?.sealed ?? false };
};

/** The list with what was taken out of and added to another one; null where something that was taken out is not in it. */
const withChange = <T extends { readonly key: string }>(
  before: readonly T[],
  after: readonly T[],
  list: readonly T[],
  taken: "must stand" | "may be gone" = "must stand",
): readonly T[] | null => {
  const known = new Set(before.map(({ key }) => key));
  const kept = new Set(after.map(({ key }) => key));
  const gone = new Set([...known].filter((key) => !kept.has(key)));
  const left = list.filter(({ key }) => !gone.has(key));
  if (taken === "must stand" && left.length + gone.size !== list.length) return null;
  return [...left, ...after.filter(({ key }) => !known.has(key))];
};

const rowsIn = (manifest: Manifest | null): number => {
  if (manifest === null) return 0;
  const unread = manifest.leaves?.filter(({ held }) => held === undefined) ?? [];
  return totalRows([...manifest.files, ...manifest.loose]) + unread.reduce((sum, { rows }) => sum + rows, 0);
};
