import type { EarnedColumn } from "../../../event/earned-properties.ts";
import type { StateScan } from "../../../hogql/lowered-query.ts";
import { ENTRY_KINDS, type PinnedState, type StateFile } from "../../../lake/catalogue.ts";
import { deltaFiles } from "../../../lake/state-overlay.ts";
import { quoteName, readParquet } from "../../duckdb/sql-text.ts";
import { type AlikeStateFiles, alikeStateFiles, STATE_KEYS, STATE_KINDS } from "../../pinned-files.ts";
import type { FileRequest } from "../../storage/fetch-file.ts";
import { type LocalFiles, release } from "../../storage/local-files.ts";
import { type BoundScan, columnTypes, earnedList, earnedTypes, emptyRelation, type FetchMode, selectList } from "./scan-sql.ts";
import type { ReadOverlay } from "./state-overlays.ts";

/** Binds scans of persons, identities and groups: the state's files, and over them what waits to be folded. */
export interface StateScans {
  bind(pinned: PinnedState, scan: StateScan, fetch: FetchMode): Promise<BoundScan>;
  /** The ids whose person is not their own hash, with that person. */
  identities(pinned: PinnedState, fetch: FetchMode): Promise<BoundScan>;
  /** Whether the pinned state gives any distinct_id another person than its own. */
  hasIdentities(pinned: PinnedState): Promise<boolean>;
}

/** The scans share `table`, the one way to a kind of the state; it holds files, and lets go of them where a step behind it fails. */
export const openStateScans = (local: LocalFiles, overlayOf: ReadOverlay): StateScans => {
  const table = async (pinned: PinnedState, scan: StateScan, fetch: FetchMode): Promise<BoundScan> => {
    const { kind, name, columns: own, earned = [] } = scan;
    const listed = [...own, ...earned.map(({ column }) => column)];
    const types = new Map([...columnTypes(kind), ...earnedTypes(earned)]);
    const overlay = await overlayOf(pinned, STATE_KINDS[kind]);
    const files = pinned.state?.[STATE_KINDS[kind]] ?? [];
    const sightings = kind === "persons" ? deltaFiles(pinned.waitingDeltas) : [];
    const isPlain = overlay.rows === null && sightings.length === 0 && files.every(({ layer = 0 }) => layer === 0);
    const read: StateRead = { columns: isPlain ? own : [...new Set([...own, ...STATE_KEYS[kind]])], earned };
    const alike = alikeStateFiles(files, earned);
    const wanted = ({ key, bytes }: Pick<StateFile, "key" | "bytes">, needed: readonly string[]): FileRequest => ({
      key,
      bytes,
      columns: fetch === "whole" ? "all" : needed,
    });
    using holds = new DisposableStack();
    const base = holds.adopt(
      await local.hold(pinned.project, [
        ...alike.flatMap(({ files: some, layer, earned: there }) =>
          some.map((file) => wanted(file, [...storedColumns(read, there), ...(layer > 0 ? ["gone"] : [])])),
        ),
        ...sightings.map((file) => wanted(file, SIGHTING)),
      ]),
      release,
    );
    const place = async (bytes: Uint8Array | null, suffix: string): Promise<string | undefined> => {
      if (bytes === null) return undefined;
      const own = `${overlay.name}-${suffix}.parquet`;
      return holds.adopt(await local.holdBytes(pinned.project, own, async () => bytes), release).path(own);
    };
    const rows = await place(overlay.rows, "rows");
    const replayed = sightings.length > 0 ? await place(overlay.replayed, "ids") : undefined;
    const path = ({ key }: { readonly key: string }): string => base.path(key);
    const stored = storedRows(alike, path, rows, read, STATE_KEYS[kind]);
    const list = selectList(listed, types);
    const selects = [
      ...(sightings.length > 0
        ? [`SELECT ${list} FROM (${seenPersons(stored, sightings.map(path), replayed, read, types)})`]
        : stored.map((select) => `SELECT ${list} FROM (${select})`)),
      ...(rows === undefined ? [] : [`SELECT ${readList({ columns: own, earned }, [])} FROM ${readParquet([rows])} WHERE NOT gone`]),
    ];
    const kept = holds.move();
    return {
      name,
      body: selects.length === 0 ? emptyRelation(listed, types) : selects.join(" UNION ALL "),
      fetchedBytes: base.fetchedBytes,
      neededBytes: base.neededBytes,
      release: () => kept.dispose(),
    };
  };

  return {
    async bind(pinned, scan, fetch) {
      if (scan.kind !== "person_distinct_ids") return table(pinned, scan, fetch);
      // Each person names the one id that is its own; the map has all others.
      using holds = new DisposableStack();
      const own = holds.adopt(await table(pinned, { ...scan, kind: "persons" }, fetch), release);
      const others = holds.adopt(await table(pinned, scan, fetch), release);
      const kept = holds.move();
      return {
        name: scan.name,
        body: `${own.body} UNION ALL ${others.body}`,
        fetchedBytes: own.fetchedBytes + others.fetchedBytes,
        neededBytes: own.neededBytes + others.neededBytes,
        release: () => kept.dispose(),
      };
    },

    identities: (pinned, fetch) =>
      table(pinned, { kind: "person_distinct_ids", name: "identities", columns: ["distinct_id", "person_id"] }, fetch),

    hasIdentities: async (pinned) => (pinned.state?.distinctIds.length ?? 0) > 0 || (await overlayOf(pinned, "distinctIds")).rows !== null,
  };
};

/** What is read of a kind: columns of its own, and properties that have earned one. */
interface StateRead {
  readonly columns: readonly string[];
  readonly earned: readonly EarnedColumn[];
}

/** The columns to have of files that have these earned ones: the others are in their JSON. */
const storedColumns = ({ columns, earned }: StateRead, there: readonly string[]): readonly string[] => [
  ...new Set([...columns, ...there, ...(there.length < earned.length ? ["properties"] : [])]),
];

const readList = ({ columns, earned }: StateRead, there: readonly string[]): string => {
  const list = [...columns.map(quoteName), ...earnedList(earned, there)];
  return list.length === 0 ? "1 AS one" : list.join(", ");
};

/** The rows of files without those that a higher layer, or the overlay, has its own of. */
const storedRows = (
  alike: readonly AlikeStateFiles[],
  path: (file: StateFile) => string,
  overlay: string | undefined,
  read: StateRead,
  keys: readonly string[],
): readonly string[] =>
  alike.map(({ files, layer, above, earned }) => {
    const replacing = [...above.map(path), ...(overlay ? [overlay] : [])];
    const conditions = [...(layer > 0 ? ["NOT gone"] : []), ...(replacing.length > 0 ? [notIn(replacing, keys)] : [])];
    const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
    return `SELECT ${readList(read, earned)} FROM ${readParquet(files.map(path))} s${where}`;
  });

const notIn = (paths: readonly string[], keys: readonly string[]): string =>
  `NOT EXISTS (SELECT 1 FROM ${readParquet(paths)} o WHERE ${keys.map((key) => `o.${quoteName(key)} = s.${quoteName(key)}`).join(" AND ")})`;

/** Columns of files of deltas that say who was seen when. */
const SIGHTING = ["kind", "distinct_id", "person_id", "time", "last"];

/** A person from its stored row, `s`, its sightings, `r`, or both. */
const SEEN_COLUMNS: Readonly<Record<string, string>> = {
  person_id: "coalesce(s.person_id, r.person_id)",
  distinct_id: "coalesce(s.distinct_id, r.distinct_id)",
  created_at: "least(s.created_at, r.created_at)",
  properties: "coalesce(s.properties, '{}')",
  is_identified: "coalesce(s.is_identified, false)",
  last_seen_at: "greatest(s.last_seen_at, r.last_seen_at)",
};

/** Stored persons, and over them the waiting sightings of ids that nothing else is known of. */
const seenPersons = (
  stored: readonly string[],
  sightings: readonly string[],
  replayed: string | undefined,
  { columns, earned }: StateRead,
  types: ReadonlyMap<string, string>,
): string => {
  const left = replayed === undefined ? "" : ` AND distinct_id NOT IN (SELECT id FROM ${readParquet([replayed])})`;
  const seen =
    `SELECT person_id, any_value(distinct_id) AS distinct_id, min("time") AS created_at, max("last") AS last_seen_at ` +
    `FROM ${readParquet(sightings)} WHERE kind = ${ENTRY_KINDS.seen}${left} GROUP BY person_id`;
  const names = earned.map(({ column }) => column);
  const known = stored.length === 0 ? emptyRelation([...columns, ...names], types) : stored.join(" UNION ALL ");
  const list = [
    ...columns.map((column) => `${SEEN_COLUMNS[column]} AS ${quoteName(column)}`),
    ...names.map((column) => `s.${quoteName(column)}`),
  ];
  return `SELECT ${list.join(", ")} FROM (${known}) s FULL JOIN (${seen}) r ON s.person_id = r.person_id`;
};
