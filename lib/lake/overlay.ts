import type { Objects } from "../world/objects.ts";
import type { Commit, StateFile } from "./catalogue.ts";
import type { Deltas } from "./deltas.ts";
import type { Pinned } from "./pinned.ts";
import { stateChanges } from "./state-changes.ts";
import { layersOf, mergedRows } from "./state-files.ts";
import { stateLookup } from "./state-lookup.ts";
import { encodeRows, type StateKind, type StateMap, type StateRow } from "./state-rows.ts";
import { readDeltas } from "./stored-deltas.ts";

/**
 * What stands over the snapshot of a pinned state (`baseOf` its files): the gathered layers, and the waiting deltas replayed with the
 * components that they touch. Rows replace those of the snapshot with the same key, a null says that the row is gone. Exact:
 * snapshot and overlay together are what a fold of everything would give.
 */
export type StateOverlay = { readonly [K in OverlayKind]: StateMap<K> };

/** Kinds that queries read. */
export type OverlayKind = Exclude<StateKind, "history">;

/** The overlay of some kinds of a pinned state; empty maps for the others. */
export const stateOverlay = async (
  objects: Pick<Objects, "get">,
  pinned: Pick<Pinned, "project" | "state" | "waitingDeltas">,
  kinds: readonly OverlayKind[] = ["persons", "distinctIds", "groups"],
): Promise<StateOverlay> => {
  const { project, state, waitingDeltas } = pinned;
  const deltas = await Promise.all(waitingDeltas.map((commit) => deltasOf(objects, commit)));
  const changes = await stateChanges(project, deltas, stateLookup(objects, state));
  const over = async <K extends OverlayKind>(kind: K, changed: StateMap<K>): Promise<StateMap<K>> =>
    kinds.includes(kind) ? layered(objects, kind, layersOf(state?.[kind] ?? []), changed) : new Map();
  return {
    persons: await over("persons", changes.persons),
    distinctIds: await over("distinctIds", changes.distinctIds),
    groups: await over("groups", changes.groups),
  };
};

/** A Parquet file of one kind of an overlay, with the snapshot's columns and a boolean `gone`; undefined where it is empty. */
export const overlayFile = async <K extends OverlayKind>(kind: K, overlay: StateOverlay): Promise<Uint8Array | undefined> => {
  const rows: readonly StateRow<K>[] = [...overlay[kind]];
  return rows.length === 0 ? undefined : encodeRows(kind, rows, { replacing: true });
};

const layered = async <K extends OverlayKind>(
  objects: Pick<Objects, "get">,
  kind: K,
  layers: readonly StateFile[],
  changes: StateMap<K>,
): Promise<StateMap<K>> => {
  if (layers.length === 0) return changes;
  const rows: StateRow<K>[] = [];
  const newest = [...changes].sort(([a], [b]) => (a < b ? -1 : 1));
  for await (const row of mergedRows(objects, kind, layers, newest)) rows.push(row);
  return new Map(rows);
};

/** Deltas that a process remembers, by what they were read for: a waiting commit is asked for by every query until it is folded. */
const MOST_REMEMBERED = 256;
const remembered = new WeakMap<Pick<Objects, "get">, Map<string, Deltas>>();

const deltasOf = async (objects: Pick<Objects, "get">, { deltas }: Commit): Promise<Deltas> => {
  if (deltas === null || "inline" in deltas) return readDeltas(objects, deltas);
  const known = remembered.get(objects) ?? new Map<string, Deltas>();
  remembered.set(objects, known);
  const kept = known.get(deltas.key);
  if (kept) return kept;
  const read = await readDeltas(objects, deltas);
  const oldest = known.keys().next();
  if (known.size >= MOST_REMEMBERED && !oldest.done) known.delete(oldest.value);
  known.set(deltas.key, read);
  return read;
};
