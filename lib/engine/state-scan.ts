import { createHash } from "node:crypto";
import type { StateScan } from "../hogql/lowered.ts";
import { type OverlayKind, overlayFile, type StateOverlay, stateOverlay } from "../lake/overlay.ts";
import type { Pinned } from "../lake/pinned.ts";
import { baseOf } from "../lake/state-files.ts";
import type { Objects } from "../world/objects.ts";
import type { Wanted } from "./bring-file.ts";
import { type Held, type LocalFiles, release } from "./local-files.ts";
import { columnTypes, emptyRelation, quoted, readParquet, selectList } from "./scan-sql.ts";
import type { Bound, Reach } from "./scans.ts";

/** Binds scans of persons, identities and groups: the snapshot's files, and over them what was learned since. */
export interface StateScans {
  bind(pinned: Pinned, scan: StateScan, reach: Reach): Promise<Bound>;
  /** The ids whose person is not their own hash, with that person. */
  identities(pinned: Pinned, reach: Reach): Promise<Bound>;
  /** Whether the pinned state gives any distinct_id another person than its own. */
  hasIdentities(pinned: Pinned): Promise<boolean>;
}

const KINDS = { persons: "persons", person_distinct_ids: "distinctIds", groups: "groups" } as const satisfies Record<
  StateScan["kind"],
  OverlayKind
>;

/** What tells rows of a kind apart. */
const KEYS: Readonly<Record<StateScan["kind"], readonly string[]>> = {
  persons: ["person_id"],
  person_distinct_ids: ["distinct_id"],
  groups: ["index", "key"],
};

/** Overlays kept per process: one per project, kind and set of waiting deltas. */
const MAX_OVERLAYS = 128;

export const openStateScans = (objects: Objects, local: LocalFiles): StateScans => {
  const overlays = new Map<string, Promise<StateOverlay>>();

  const overlayOf = (pinned: Pinned, kind: OverlayKind): { readonly name: string; readonly overlay: Promise<StateOverlay> } => {
    const name = `overlay-${kind}-${stateDigest(pinned)}.parquet`;
    const id = `${pinned.project}/${name}`;
    const overlay = overlays.get(id) ?? stateOverlay(objects, pinned, [kind]);
    overlays.delete(id);
    overlays.set(id, overlay);
    overlay.catch(() => overlays.delete(id));
    for (const oldest of overlays.keys()) {
      if (overlays.size <= MAX_OVERLAYS) break;
      overlays.delete(oldest);
    }
    return { name, overlay };
  };

  const holdOverlay = async (pinned: Pinned, kind: OverlayKind): Promise<{ held: Held; path: string } | undefined> => {
    const { name, overlay } = overlayOf(pinned, kind);
    const rows = await overlay;
    if (rows[kind].size === 0) return undefined;
    const held = await local.holdBytes(pinned.project, name, async () => (await overlayFile(kind, rows)) ?? new Uint8Array());
    return { held, path: held.path(name) };
  };

  const table = async (pinned: Pinned, { kind: table, name, columns: listed }: StateScan, reach: Reach): Promise<Bound> => {
    const types = columnTypes(table);
    const kind = KINDS[table];
    const files = baseOf(pinned.state?.[kind] ?? []);
    using holds = new DisposableStack();
    const over = await holdOverlay(pinned, kind);
    if (over) holds.adopt(over.held, release);
    const columns = over ? [...new Set([...listed, ...KEYS[table]])] : listed;
    const wanted = files.map((file): Wanted => ({ ...file, columns: reach === "whole" ? "all" : columns }));
    const base = holds.adopt(await local.hold(pinned.project, wanted), release);
    const list = selectList(listed, types);
    const paths = files.map(({ key }) => base.path(key));
    const selects = [
      ...(paths.length === 0 ? [] : [`SELECT ${list} FROM ${readParquet(paths)} s${over ? replacedBy(over.path, KEYS[table]) : ""}`]),
      ...(over ? [`SELECT ${list} FROM ${readParquet([over.path])} WHERE NOT gone`] : []),
    ];
    const body = selects.length === 0 ? emptyRelation(listed, types) : selects.join(" UNION ALL ");
    const kept = holds.move();
    return {
      name,
      body,
      fetchedBytes: base.fetchedBytes,
      neededBytes: base.neededBytes,
      release: () => kept.dispose(),
    };
  };

  return {
    async bind(pinned, scan, reach) {
      if (scan.kind !== "person_distinct_ids") return table(pinned, scan, reach);
      // Each person names the one id that is its own; the map has all others.
      using holds = new DisposableStack();
      const own = holds.adopt(await table(pinned, { ...scan, kind: "persons" }, reach), release);
      const others = holds.adopt(await table(pinned, scan, reach), release);
      const kept = holds.move();
      return {
        name: scan.name,
        body: `${own.body} UNION ALL ${others.body}`,
        fetchedBytes: own.fetchedBytes + others.fetchedBytes,
        neededBytes: own.neededBytes + others.neededBytes,
        release: () => kept.dispose(),
      };
    },

    identities: (pinned, reach) =>
      table(pinned, { kind: "person_distinct_ids", name: "identities", columns: ["distinct_id", "person_id"] }, reach),

    async hasIdentities(pinned) {
      if (baseOf(pinned.state?.distinctIds ?? []).length > 0) return true;
      return (await overlayOf(pinned, "distinctIds").overlay).distinctIds.size > 0;
    },
  };
};

/** Leaves out the snapshot's rows that the overlay has its own of. */
const replacedBy = (path: string, keys: readonly string[]): string =>
  ` WHERE NOT EXISTS (SELECT 1 FROM ${readParquet([path])} o WHERE ${keys.map((key) => `o.${quoted(key)} = s.${quoted(key)}`).join(" AND ")})`;

/** Equal digests mean equal snapshots and equal waiting deltas. */
const stateDigest = ({ state, waitingDeltas }: Pinned): string =>
  createHash("sha256")
    .update(JSON.stringify([state?.id ?? "", waitingDeltas.map(({ id }) => id)]))
    .digest("hex")
    .slice(0, 32);
