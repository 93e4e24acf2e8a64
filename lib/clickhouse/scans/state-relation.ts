import type { EmbeddedEngine } from "../../engine/engine.ts";
import { type AlikeStateFiles, alikeStateFiles, mayHoldBigIntegers, STATE_KEYS, STATE_KINDS } from "../../engine/pinned-files.ts";
import type { EarnedColumn } from "../../event/earned-properties.ts";
import type { StateScan } from "../../hogql/lowered-query.ts";
import { ENTRY_KINDS, type PinnedState } from "../../lake/catalogue.ts";
import { deltaFiles } from "../../lake/state-overlay.ts";
import { quoteName } from "../sql/quote.ts";
import { columnList, emptyRelation, GONE, pickTypes, SIGHTING_TYPES, STATE_TYPES } from "./columns.ts";
import { earnedTypes, ownOrEarned } from "./earned-column.ts";
import { type ColumnTypes, type LakeReader, readFiles, withReadableJson } from "./lake-files.ts";
import { type Count, type Relation, unionAll } from "./relation.ts";
import type { PutWaiting } from "./waiting-objects.ts";

/** Persons, identities and groups: the state's files, and over them what waits to be folded. */
export interface StateRelations {
  read(pinned: PinnedState, kind: StateScan["kind"], columns: readonly string[], earned?: readonly EarnedColumn[]): Promise<Relation>;
  /** The ids whose person is not their own hash, with that person; null where there are none. */
  identities(pinned: PinnedState): Promise<Relation | null>;
}

export interface StateParts {
  readonly reader: LakeReader;
  readonly overlay: EmbeddedEngine["overlay"];
  readonly putWaiting: PutWaiting;
}

/** The relations share `table`, the one way to a kind of the state. */
export const openStateRelations = ({ reader, overlay, putWaiting }: StateParts): StateRelations => {
  const table = async (
    pinned: PinnedState,
    kind: StateScan["kind"],
    columns: readonly string[],
    earned: readonly EarnedColumn[] = [],
  ): Promise<Relation> => {
    const { rows, replayed } = await overlay(pinned, STATE_KINDS[kind]);
    const keysOf = async (bytes: Uint8Array | null): Promise<readonly string[]> =>
      bytes === null ? [] : [await putWaiting(pinned.project, bytes)];
    const over = await keysOf(rows);
    const sightings = kind === "persons" ? deltaFiles(pinned.waitingDeltas) : [];
    const read: StateRead = { types: pickTypes(STATE_TYPES[kind], new Set([...columns, ...STATE_KEYS[kind]])), earned };
    const types = new Map([...read.types, ...earnedTypes(earned)]);
    const files = alikeStateFiles(pinned.state?.[STATE_KINDS[kind]] ?? [], earned);
    const stored = storedRows(reader, files, over, read, STATE_KEYS[kind]);
    const seen = sightings.length === 0 ? null : seenPersons(reader, sightings, await keysOf(replayed));
    const below = seen === null ? stored.selects : [withSeen(stored.selects, seen.sql, types)];
    const unstored = storedTypes(read, []);
    const above = readFiles(reader, over, new Map([...unstored, GONE])).map(
      (from) => `SELECT ${readList(read, [])} FROM ${withReadable(`${from} WHERE NOT gone`, unstored)}`,
    );
    const listed = [...columns, ...earned.map(({ column }) => column)];
    const selects = [...below, ...above].map((rows) => `SELECT ${columnList(listed)} FROM (${rows})`);
    return {
      sql: selects.length === 0 ? emptyRelation(pickTypes(types, listed)) : unionAll(selects),
      counts: [...stored.counts, ...(seen?.counts ?? [])],
    };
  };

  return {
    async read(pinned, kind, columns, earned) {
      if (kind !== "person_distinct_ids") return table(pinned, kind, columns, earned);
      // Each person names the one id that is its own; the map has all others.
      const both = [await table(pinned, "persons", columns), await table(pinned, kind, columns)];
      return { sql: unionAll(both.map(({ sql }) => sql)), counts: both.flatMap(({ counts }) => counts) };
    },

    async identities(pinned) {
      const hasFiles = (pinned.state?.distinctIds.length ?? 0) > 0;
      if (!hasFiles && (await overlay(pinned, "distinctIds")).rows === null) return null;
      return table(pinned, "person_distinct_ids", ["distinct_id", "person_id"]);
    },
  };
};

/** What is read of a kind: columns of its own with their types, and properties that have earned one. */
interface StateRead {
  readonly types: ColumnTypes;
  readonly earned: readonly EarnedColumn[];
}

/** The columns to read of files that have these earned ones: the others are in the JSON. */
const storedTypes = ({ types, earned }: StateRead, there: readonly string[]): ColumnTypes =>
  new Map([
    ...types,
    ...earnedTypes(earned.filter(({ column }) => there.includes(column))),
    ...(there.length < earned.length ? [["properties", "String"] as const] : []),
  ]);

/** Rows that may hold any number, where their properties are read. */
const withReadable = (rows: string, types: ColumnTypes): string => (types.has("properties") ? withReadableJson(rows) : rows);

const readList = ({ types, earned }: StateRead, there: readonly string[]): string =>
  [...[...types.keys()].map(quoteName), ...earned.map((column) => ownOrEarned(column, there))].join(", ");

/** Files that are read alike by whether some properties in them may hold whole numbers beyond 64 bits. */
const byBigIntegers = (alike: AlikeStateFiles) =>
  [...Map.groupBy(alike.files, mayHoldBigIntegers)].map(([bigIntegers, files]) => ({ ...alike, files, bigIntegers }));

/** The rows of files without those that a higher layer, or the overlay, has its own of. */
const storedRows = (
  reader: LakeReader,
  alike: readonly AlikeStateFiles[],
  over: readonly string[],
  read: StateRead,
  identifying: readonly string[],
): { readonly selects: readonly string[]; readonly counts: readonly Count[] } => {
  const keys = columnList(identifying);
  const found = alike.flatMap(byBigIntegers).map(({ files, layer, above, earned, bigIntegers }) => {
    const replacing = [...above.map(({ key }) => key), ...over];
    const replaced = readFiles(reader, replacing, pickTypes(read.types, identifying)).map((from) => `SELECT ${keys} FROM ${from}`);
    const conditions = [...(layer > 0 ? ["NOT gone"] : []), ...(replaced.length > 0 ? [`(${keys}) NOT IN (${unionAll(replaced)})`] : [])];
    const stored = storedTypes(read, earned);
    const from = readFiles(
      reader,
      files.map(({ key }) => key),
      layer > 0 ? new Map([...stored, GONE]) : stored,
    );
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
    const list = readList(read, earned);
    const rows = from.map((one) => `${one}${where}`);
    return {
      selects: rows.map((some) => `SELECT ${list} FROM ${bigIntegers ? withReadable(some, stored) : some}`),
      count: { from, rows: files.reduce((sum, { rows }) => sum + rows, 0) },
    };
  });
  return { selects: found.flatMap(({ selects }) => selects), counts: found.map(({ count }) => count) };
};

/** When persons were seen of whose ids nothing else is known. */
const seenPersons = (reader: LakeReader, files: ReturnType<typeof deltaFiles>, replayed: readonly string[]): Relation => {
  const from = readFiles(
    reader,
    files.map(({ key }) => key),
    SIGHTING_TYPES,
  );
  const known = readFiles(reader, replayed, new Map([["id", "String"]])).map((ids) => ` AND distinct_id NOT IN (SELECT id FROM ${ids})`);
  const sightings = from.map((one) => `SELECT * FROM ${one} WHERE kind = ${ENTRY_KINDS.seen}${known.join("")}`);
  return {
    sql: `SELECT person_id, any(distinct_id) AS distinct_id, min(time) AS created_at, max(last) AS last_seen_at FROM (${unionAll(sightings)}) GROUP BY person_id`,
    counts: [{ from, rows: files.reduce((sum, { entries }) => sum + entries, 0) }],
  };
};

/** Stored persons, `s`, and when persons were seen since, `r`. */
const withSeen = (stored: readonly string[], seen: string, types: ColumnTypes): string => {
  const rows = stored.length === 0 ? emptyRelation(types) : unionAll(stored);
  const list = [...types.keys()].map((column) => `${SEEN_COLUMNS[column] ?? `s.${quoteName(column)}`} AS ${quoteName(column)}`);
  return `SELECT ${list.join(", ")} FROM (${rows}) AS s FULL JOIN (${seen}) AS r ON s.person_id = r.person_id`;
};

/** The column of a person from its stored row, its sightings, or both: of a side without a row all columns are NULL. */
const SEEN_COLUMNS: Readonly<Record<string, string>> = {
  person_id: "assumeNotNull(coalesce(s.person_id, r.person_id))",
  distinct_id: "assumeNotNull(coalesce(s.distinct_id, r.distinct_id))",
  created_at: "assumeNotNull(least(coalesce(s.created_at, r.created_at), coalesce(r.created_at, s.created_at)))",
  properties: "ifNull(s.properties, '{}')",
  is_identified: "ifNull(s.is_identified, false)",
  last_seen_at: "assumeNotNull(greatest(coalesce(s.last_seen_at, r.last_seen_at), coalesce(r.last_seen_at, s.last_seen_at)))",
};
