import { createHash } from "node:crypto";
import { MAX_WAIT_MS } from "../../../core/fair-queue.ts";
import type { PinnedState } from "../../../lake/catalogue.ts";
import { deltaFiles, type OverlayKind, overlayFile } from "../../../lake/state-overlay.ts";
import type { Objects } from "../../../ports/objects.ts";
import type { Databases } from "../../duckdb/databases.ts";
import type { LocalFiles } from "../../storage/local-files.ts";
import { deltaColumns, idsFile, logColumns, type StateColumnsParts } from "./delta-columns.ts";

/** A kind of a pinned state with its waiting deltas applied, as files of the engine; null where there is nothing of the sort. */
export interface Overlay {
  /** Tells it from all others of the project. */
  readonly name: string;
  /** Rows that replace those of the state, and say which are gone. */
  readonly rows: Uint8Array | null;
  /** Of persons: ids whose waiting sightings are part of the rows. */
  readonly replayed: Uint8Array | null;
}

/** Overlays by pinned state, remembered while there is room. */
export type ReadOverlay = (pinned: PinnedState, kind: OverlayKind) => Promise<Overlay>;

/** Bytes of overlays kept per process. */
const MOST_KEPT_BYTES = 64_000_000;

/** The weight of an overlay beyond its files. */
const LEAST_WEIGHT = 10_000;

/** States of more logs than this are searched by the engine: as objects they take seconds to read and do not fit the memory. */
const MOST_LOGS_AS_OBJECTS = 100_000;

export const openOverlays = (objects: Objects, local: LocalFiles, databases: Pick<Databases, "use">): ReadOverlay => {
  const overlays = new Map<string, { readonly overlay: Promise<Overlay>; weight: number }>();

  const make = async (pinned: PinnedState, kind: OverlayKind, name: string): Promise<Overlay> => {
    const { project, state, waitingDeltas } = pinned;
    if (waitingDeltas.length === 0) return { name, rows: null, replayed: null };
    const parts: StateColumnsParts = { local, project, run: (task) => databases.use(project, task, { maxWaitMs: MAX_WAIT_MS }) };
    const history = state?.history ?? [];
    const files = deltaFiles(waitingDeltas);
    const isLarge = history.reduce((sum, { rows }) => sum + rows, 0) > MOST_LOGS_AS_OBJECTS;
    const { rows, replayed } = await overlayFile(objects, pinned, kind, {
      entries: files.length === 0 ? null : deltaColumns(parts, files, history),
      history: isLarge ? logColumns(parts, history) : null,
    });
    return { name, rows, replayed: replayed.size === 0 ? null : await idsFile(replayed) };
  };

  const weighed = async (id: string, making: Promise<Overlay>): Promise<void> => {
    const { rows, replayed } = await making;
    const kept = overlays.get(id);
    if (kept?.overlay === making) kept.weight += (rows?.length ?? 0) + (replayed?.length ?? 0);
    let held = 0;
    for (const { weight } of overlays.values()) held += weight;
    for (const [oldest, { weight }] of overlays) {
      if (held <= MOST_KEPT_BYTES || oldest === id) break;
      overlays.delete(oldest);
      held -= weight;
    }
  };

  return (pinned, kind) => {
    const name = `overlay-${kind}-${stateDigest(pinned)}`;
    const id = `${pinned.project}/${name}`;
    const known = overlays.get(id);
    const entry = known ?? { overlay: make(pinned, kind, name), weight: LEAST_WEIGHT };
    overlays.delete(id);
    overlays.set(id, entry);
    if (known === undefined) weighed(id, entry.overlay).catch(() => overlays.delete(id));
    return entry.overlay;
  };
};

/** Equal digests mean equal snapshots and equal waiting deltas, of which the same is left out. */
const stateDigest = ({ state, waitingDeltas, removals }: PinnedState): string =>
  createHash("sha256")
    .update(JSON.stringify([state?.id ?? "", waitingDeltas.map(({ id }) => id), ...(removals ? [removals.id] : [])]))
    .digest("hex")
    .slice(0, 32);
