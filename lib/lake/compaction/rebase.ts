import type { FileFacts, Manifest } from "../catalogue.ts";
import { fileVersion, rowsLeft } from "../skipped-rows.ts";
import type { Proposal } from "./gather.ts";
import type { PartitionState } from "./partition-state.ts";

/**
 * A proposal as a change of another manifest than the one that it was made for: others swapped in between. Null where that would not
 * be right, and the work is to be done again: they merged a file that this one merges, too, or gathered rows, or removed some.
 *
 * A merge holds the rows of the files that it replaces, so wherever these still stand, with the same rows skipped, it may replace them.
 * What is gathered was compared with all files that there were, and with what nobody may see; merges move rows from file to file, so it
 * is free of duplicates among those that stand now, and without a row for want of a copy, as long as none has come to them or gone.
 */
export const rebase = (found: PartitionState, proposal: Proposal, now: PartitionState): Proposal | null => {
  const [before, base] = [found.manifest, now.manifest];
  if (proposal.sealed && before?.sealed !== true) return null;
  const absorbed = new Set(base?.absorbed);
  const waiting = new Set(now.commits.map(({ id }) => id));
  if (proposal.merged.some(({ id }) => absorbed.has(id) || !waiting.has(id))) return null;
  if (proposal.merged.length > 0 && (rowsIn(base) !== rowsIn(before) || base?.removed !== before?.removed)) return null;
  if (proposal.merged.length > 0 && found.removals?.id !== now.removals?.id) return null;
  const files = withChange(before?.files ?? [], proposal.files, base?.files ?? [], fileVersion);
  const loose = withChange(before?.loose ?? [], proposal.loose, base?.loose ?? [], fileVersion);
  const corrections = withChange(before?.corrections ?? [], proposal.corrections, base?.corrections ?? [], keyOf, "may be gone");
  if (files === null || loose === null || corrections === null) return null;
  return { ...proposal, files, loose, corrections, sealed: base?.sealed ?? false };
};

/** The list with what was taken out of and added to another one; null where something that was taken out is not in it. */
const withChange = <T extends Named>(
  before: readonly T[],
  after: readonly T[],
  list: readonly T[],
  nameOf: (one: T) => string,
  taken: "must stand" | "may be gone" = "must stand",
): readonly T[] | null => {
  const known = new Set(before.map(nameOf));
  const kept = new Set(after.map(nameOf));
  const gone = new Set([...known].filter((name) => !kept.has(name)));
  const left = list.filter((one) => !gone.has(nameOf(one)));
  if (taken === "must stand" && left.length + gone.size !== list.length) return null;
  return [...left, ...after.filter((one) => !known.has(nameOf(one)))];
};

type Named = Pick<FileFacts, "key">;
const keyOf = ({ key }: Named): string => key;

/** Those that are not skipped: taking these out of a file is only a merge. */
const rowsIn = (manifest: Manifest | null): number => {
  if (manifest === null) return 0;
  const unread = manifest.leaves?.filter(({ held }) => held === undefined) ?? [];
  const read = [...manifest.files, ...manifest.loose].reduce((sum, file) => sum + rowsLeft(file), 0);
  return read + unread.reduce((sum, { rows, skipped = 0 }) => sum + rows - skipped, 0);
};
