import { MINUTE_MS } from "../core/time.ts";
import type { Table } from "../ports/table.ts";
import { readCommits } from "./catalogue/commits.ts";
import type { Commit } from "./catalogue.ts";

/** Which commits a reader has seen: those up to `from`, and of the later ones those in `seen`, each by the end of its id. */
export interface ArrivalMark {
  /** When it was looked, in milliseconds. */
  readonly at: number;
  readonly from: string;
  readonly seen: readonly string[];
}

/**
 * Ids are in order of the time at which they were given, on the clock of who gave them, and a commit shows when its item is written a
 * moment later. One that takes longer than this to show is taken for one that was seen.
 */
export const LATE_COMMIT_MS = MINUTE_MS;

/** A mark finds all that came since while no commit is deleted that it has not seen: those stay for longer than this. */
export const MARK_GOOD_MS = 10 * MINUTE_MS;

/** Commits of a minute that a mark names; of more, the oldest count as seen, and so does one that shows between them later. */
const MOST_SEEN = 500;

/** So much of an id tells the commits of a minute apart: 40 bits. */
export const SEEN_CHARACTERS = 8;

const seenName = (id: string): string => id.slice(-SEEN_CHARACTERS);

/** The mark of a reader that at this time saw these commits: all that there are behind `from`, oldest id first. */
export const arrivalMark = (commits: readonly Commit[], at: number, from = ""): ArrivalMark => {
  const settled = commits.findLastIndex((commit) => commit.at < at - LATE_COMMIT_MS);
  const behind = Math.max(settled, commits.length - MOST_SEEN - 1);
  return { at, from: commits[behind]?.id ?? from, seen: commits.slice(behind + 1).map(({ id }) => seenName(id)) };
};

/** Whether the reader of a mark has seen a commit. */
export const hasSeen = ({ from, seen }: ArrivalMark): ((commit: Commit) => boolean) => {
  const names = new Set(seen);
  return ({ id }) => id <= from || names.has(seenName(id));
};

/** The commits that came after a mark was made, and the mark of who has seen them, too: one read of the commits of the last minute. */
export const arrivedSince = async (
  table: Table,
  project: number,
  mark: ArrivalMark,
  now: number,
): Promise<{ readonly commits: readonly Commit[]; readonly mark: ArrivalMark }> => {
  const later = (await readCommits(table, project, mark.from)).filter(({ id }) => id > mark.from);
  const isSeen = hasSeen(mark);
  return { commits: later.filter((commit) => !isSeen(commit)), mark: arrivalMark(later, now, mark.from) };
};
