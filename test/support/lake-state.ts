import type { EventRow } from "../../lib/event/event.ts";
import type { Commit, FileFacts, Manifest, PinnedState } from "../../lib/lake/catalogue.ts";
import type { RowFiles } from "../../lib/lake/row-files.ts";
import type { Objects } from "../../lib/ports/objects.ts";

/** A pinned state of one partition: compacted files and waiting segments. */
export const pinnedOf = (project: number, files: readonly FileFacts[], segments: readonly FileFacts[] = []): PinnedState => {
  const partition = "2025-06";
  const manifest: Manifest = { v: 1, id: "m", partition, files, loose: [], absorbed: [], absorbedAt: [], sealed: false };
  const waiting = segments.map(
    (file, at): Commit => ({ v: 1, id: `c${at}`, at: 0, lane: "live", segments: [{ ...file, partition }], deltas: null }),
  );
  return { project, manifests: new Map([[partition, manifest]]), waiting, state: null, waitingDeltas: [], digest: "" };
};

/** Writes rows as a segment into the store. */
export const storedSegment = async (
  engine: { readonly rowFiles: Pick<RowFiles, "write"> },
  objects: Objects,
  key: string,
  rows: readonly EventRow[],
): Promise<FileFacts> => {
  const { content, ...facts } = await engine.rowFiles.write(rows);
  await objects.put(key, content);
  return { key, ...facts };
};
