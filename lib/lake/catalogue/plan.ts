import { daysWithin, overlap } from "../../event/time-partitions.ts";
import { MAX_BOUND } from "../parquet/facts.ts";
import type { FileFacts, Segment } from "./catalogue.ts";
import type { PinnedState } from "./pinned.ts";

/** What bounds a scan of events; null does not. */
export interface EventRange {
  /** Microseconds since 1970: from inclusive, to exclusive. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  readonly events: readonly string[] | null;
  readonly distinctIds: readonly string[] | null;
}

export interface EventPlan {
  /** Compacted and loose files: no duplicates among them. */
  readonly files: readonly FileFacts[];
  /** Waiting segments: rows of theirs may stand in files and in each other, also in those that the plan leaves out. */
  readonly waiting: readonly Segment[];
}

/**
 * The files that may hold rows of the range. Prunes by whole days, event names and distinct_ids only: these are parts of an
 * identity, so the copies of one row are kept or left out together, and removing duplicates below the plan stays exact.
 */
export const planEvents = (pinned: PinnedState, range: EventRange): EventPlan => {
  const mayHold = pruning(range);
  const manifests = [...pinned.manifests.values()];
  return {
    files: manifests.flatMap(({ files, loose }) => [...files, ...loose]).filter(mayHold),
    waiting: pinned.waiting.flatMap(({ segments }) => segments).filter(mayHold),
  };
};

const pruning = (range: EventRange): ((file: FileFacts) => boolean) => {
  const days = daysWithin(range);
  const names = range.events && new Set(range.events);
  const ids = range.distinctIds?.map((id) => id.toWellFormed().slice(0, MAX_BOUND));
  return (file) => {
    if (!overlap(file.days, days)) return false;
    if (names && file.events && !file.events.some((name) => names.has(name))) return false;
    return !ids || ids.some((id) => id >= file.ids[0] && id <= file.ids[1]);
  };
};
