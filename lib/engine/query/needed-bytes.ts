import { forEachConcurrent } from "../../core/concurrency.ts";
import type { Scan } from "../../hogql/lowered-query.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import { planEvents } from "../../lake/pin.ts";
import { alikePlaces, STATE_KINDS, storedColumns } from "../pinned-files.ts";
import type { ColumnBytes } from "../storage/column-bytes.ts";
import type { FileRequest } from "../storage/fetch-file.ts";

/**
 * Bytes of the column chunks that scans of a pinned state have to fetch. With `enough` no footer is read where whole files are not more
 * than that, and no more of them are once their chunks are: so it is exact only where it matters, and on the right side of `enough` always.
 */
export type NeededBytes = (pinned: PinnedState, scans: readonly Scan[], enough?: number) => Promise<number>;

/** Footers on their way at once. */
const LANES = 16;

export const openNeededBytes =
  (columnBytes: ColumnBytes): NeededBytes =>
  async (pinned, scans, enough) => {
    const files = oncePerFile(scans.flatMap((scan) => fileRequests(pinned, scan)));
    const whole = files.reduce((sum, { bytes }) => sum + bytes, 0);
    if (enough !== undefined && whole <= enough) return whole;
    let needed = 0;
    await forEachConcurrent(
      files,
      LANES,
      async (file) => {
        const bytes = await columnBytes(file);
        needed += bytes;
      },
      () => enough === undefined || needed <= enough,
    );
    return needed;
  };

const fileRequests = (pinned: PinnedState, scan: Scan): readonly FileRequest[] => {
  if (scan.kind === "table") return [scan];
  if (scan.kind === "list") return [];
  if (scan.kind !== "events") return stateFiles(pinned, scan.kind).map(({ key, bytes }) => ({ key, bytes, columns: scan.columns }));
  const plan = planEvents(pinned, scan);
  const events = [...plan.files, ...plan.waiting].map((file) => ({ ...file, columns: storedColumns(scan, alikePlaces(scan, file)) }));
  const identities = scan.columns.includes("person_id") ? (pinned.state?.distinctIds ?? []) : [];
  return [...events, ...identities.map(({ key, bytes }) => ({ key, bytes, columns: ["distinct_id", "person_id"] }))];
};

/** Each person names an id of its own, which the map has not. */
const stateFiles = ({ state }: PinnedState, kind: keyof typeof STATE_KINDS) => [
  ...(state?.[STATE_KINDS[kind]] ?? []),
  ...(kind === "person_distinct_ids" ? (state?.persons ?? []) : []),
];

const oncePerFile = (requests: readonly FileRequest[]): readonly FileRequest[] => {
  const files = new Map<string, FileRequest>();
  for (const request of requests) {
    const known = files.get(request.key);
    files.set(request.key, known === undefined ? request : { ...known, columns: bothColumns(known.columns, request.columns) });
  }
  return [...files.values()];
};

const bothColumns = (a: FileRequest["columns"], b: FileRequest["columns"]): FileRequest["columns"] =>
  a === "all" || b === "all" ? "all" : [...new Set([...a, ...b])];
