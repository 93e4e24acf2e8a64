import type { EventScan } from "../hogql/lowered.ts";
import type { FileFacts, Segment } from "./catalogue.ts";
import { MAX_BOUND } from "./facts.ts";
import type { Pinned } from "./pinned.ts";

/** What bounds a scan: a part of `EventScan`. */
export type Bounds = Pick<EventScan, "from" | "to" | "events" | "distinctIds">;

export interface EventPlan {
  /** Compacted and loose files, free of duplicates. */
  readonly files: readonly FileFacts[];
  /** Waiting segments whose rows may still be duplicates. */
  readonly segments: readonly FileFacts[];
  /** What decides which rows of `segments` are duplicates; includes `segments`, and files that the scan itself does not read. */
  readonly rivals: { readonly segments: readonly FileFacts[]; readonly files: readonly FileFacts[] };
}

/** The files that a scan must read of a pinned state: everything that can hold a row within the bounds. */
export const planEvents = (pinned: Pinned, bounds: Bounds): EventPlan => {
  const all = [...pinned.manifests.values()].flatMap(({ files, loose }) => [...files, ...loose]);
  const waiting = waitingSegments(pinned);
  const keep = within(bounds);
  const segments = waiting.filter(keep);
  const rival = (other: FileFacts): boolean => segments.some((segment) => mayShare(segment, other));
  return { files: all.filter(keep), segments, rivals: { segments: waiting.filter(rival), files: all.filter(rival) } };
};

/** The segments that no manifest contains yet, oldest commit first. */
export const waitingSegments = (pinned: Pinned): readonly Segment[] => {
  const absorbed = new Map([...pinned.manifests].map(([partition, manifest]) => [partition, new Set(manifest.absorbed)]));
  return pinned.waiting.flatMap(({ id, segments }) => segments.filter(({ partition }) => absorbed.get(partition)?.has(id) !== true));
};

const within = (bounds: Bounds): ((file: FileFacts) => boolean) => {
  const { from, to } = bounds;
  const names = bounds.events && new Set(bounds.events);
  const ids = bounds.distinctIds?.map((id) => id.toWellFormed().slice(0, MAX_BOUND));
  return (file) => {
    if (from !== null && BigInt(file.times[1]) < from) return false;
    if (to !== null && BigInt(file.times[0]) >= to) return false;
    if (names && file.events && !file.events.some((name) => names.has(name))) return false;
    return !ids || ids.some((id) => id >= file.ids[0] && id <= file.ids[1]);
  };
};

/** Whether two files can hold rows of one identity: it names the UTC day, the event and the distinct_id. */
export const mayShare = (a: FileFacts, b: FileFacts): boolean => {
  if (a.days[0] > b.days[1] || b.days[0] > a.days[1]) return false;
  if (a.ids[0] > b.ids[1] || b.ids[0] > a.ids[1]) return false;
  if (a.events === null || b.events === null) return true;
  const names = new Set(a.events);
  return b.events.some((name) => names.has(name));
};
