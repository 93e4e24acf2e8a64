import { cache, perOwner } from "../core/cache.ts";
import type { Objects } from "../ports/objects.ts";
import type { Commit, PinnedState } from "./catalogue.ts";
import { deltasOfEntries } from "./persons/delta-files.ts";
import type { Deltas, GroupOp, IdSighting, PersonOp } from "./persons/deltas.ts";
import { decodeLog } from "./persons/person-log.ts";
import { component, type StateLookup, stateChanges } from "./persons/state-changes.ts";
import { stateLookup } from "./persons/state-lookup.ts";
import { encodeRows, type StateKind, type StateMap } from "./persons/state-rows.ts";
import { readDeltas } from "./persons/stored-deltas.ts";
import { erasedDigest } from "./removals.ts";

/** Kinds that queries read. */
export type OverlayKind = Exclude<StateKind, "history">;

/** What waits in files of deltas, asked by columns: sightings are many, and hardly any of them changes more than when its id was seen. */
export interface DeltaColumns {
  /** Merges alone, or all that events change of persons. */
  persons(which: "merges" | "all"): Promise<readonly PersonOp[]>;
  groups(): Promise<readonly GroupOp[]>;
  /** Ids that were seen and that stored merges tie to others. */
  tied(): Promise<readonly string[]>;
  /** When some ids were seen. */
  seen(ids: ReadonlySet<string>): Promise<readonly IdSighting[]>;
}

/** What waits over a state: deltas that travel in commits, and files of them. */
export interface WaitingDeltas {
  readonly inline: readonly Deltas[];
  readonly columns: DeltaColumns | null;
}

export interface StateOverlay<K extends OverlayKind> {
  /** They replace the state's rows of the same key; null says that a row is gone. */
  readonly rows: StateMap<K>;
  /** Ids whose sightings in files are part of the rows; those of all others only say when a person was seen. */
  readonly replayed: ReadonlySet<string>;
}

/**
 * What waiting deltas change in a state, replayed with the components that they touch. Exact: state, overlay and, of persons, the
 * sightings of ids that were not replayed together are what a fold of everything would give.
 */
export const stateOverlay = async <K extends OverlayKind>(
  project: number,
  kind: K,
  { inline, columns }: WaitingDeltas,
  state: StateLookup,
): Promise<StateOverlay<K>> => {
  if (columns === null) return { rows: (await stateChanges(project, inline, state))[kind], replayed: new Set() };
  if (kind === "groups") {
    const filed = { seen: [], persons: [], groups: await columns.groups() };
    const groups = inline.map((each) => ({ ...filed, groups: each.groups }));
    return { rows: (await stateChanges(project, [...groups, filed], state))[kind], replayed: new Set() };
  }
  // Which id is whose person is decided by merges and by when ids were seen; what else is done to a person is not read for it.
  const operations = await columns.persons(kind === "persons" ? "all" : "merges");
  const replayed = await replayedIds(inline, operations, columns, state);
  const filed: Deltas = { seen: await columns.seen(replayed), persons: operations, groups: [] };
  const persons = inline.map((each): Deltas => ({ ...each, groups: [] }));
  return { rows: (await stateChanges(project, [...persons, filed], state))[kind], replayed };
};

/**
 * The ids that have to be replayed: those that something was done to, those that were seen and
 * are tied to others, and all that merges tie to these. Any other id is the one of its person, whenever it was seen.
 */
const replayedIds = async (
  inline: readonly Deltas[],
  operations: readonly PersonOp[],
  columns: DeltaColumns,
  state: StateLookup,
): Promise<ReadonlySet<string>> => {
  const ids = new Set(await columns.tied());
  for (const { seen } of inline) for (const { id } of seen) ids.add(id);
  for (const op of [...inline.flatMap(({ persons }) => persons), ...operations]) {
    ids.add(op.id);
    if (op.merge) ids.add(op.merge.source);
  }
  for (const id of (await component(ids, state)).keys()) ids.add(id);
  return ids;
};

/** An entry of a file of deltas as it is stored: `ENTRY_KINDS`, key, time, index, uuid, last time (microseconds since 1970), body. */
export type StoredEntry = readonly [
  kind: number,
  id: string,
  time: string,
  index: number,
  uuid: string,
  last: string,
  body?: string | null,
];

/** Finds entries in files of deltas, by their columns. */
export interface EntryReader {
  /** What events change of persons, or of those changes the merges alone. */
  persons(which: "merges" | "all"): Promise<readonly StoredEntry[]>;
  groups(): Promise<readonly StoredEntry[]>;
  /** When some ids were seen. */
  seen(ids: ReadonlySet<string>): Promise<readonly StoredEntry[]>;
  /** Ids that were seen and that stored merges tie to others. */
  tied(): Promise<readonly string[]>;
  /** Ids that were seen and whose salted digests are among these. */
  erased(erased: ErasedIds): Promise<readonly string[]>;
}

/** Erased ids, by their digests: see `erasedDigest`. */
export interface ErasedIds {
  readonly salt: string;
  readonly digests: readonly string[];
}

/**
 * Finds logs in a state's `history` by id, and decodes the text of each: those of some ids, or all that merges tie to others; some more
 * do no harm.
 */
export interface LogReader {
  logs<T>(ids: ReadonlySet<string>, decode: (text: string) => T): Promise<ReadonlyMap<string, T>>;
  tied<T>(decode: (text: string) => T): Promise<ReadonlyMap<string, T>>;
}

/**
 * The overlay of a pinned state as a Parquet file of rows that replace the state's, null where there are none, and the replayed ids of
 * `StateOverlay`. `entries` reads the files of `deltaFiles` and is null where there are none; without `history` this process reads the logs itself.
 * What waits of erased ids is left out: they count as replayed, without a row.
 */
export const overlayFile = async <K extends OverlayKind>(
  objects: Pick<Objects, "get">,
  { project, state, waitingDeltas, removals }: Pick<PinnedState, "project" | "state" | "waitingDeltas" | "removals">,
  kind: K,
  { entries, history }: { readonly entries: EntryReader | null; readonly history: LogReader | null },
): Promise<{ readonly rows: Uint8Array | null; readonly replayed: ReadonlySet<string> }> => {
  const stored = stateLookup(objects, state);
  const lookup = history === null ? stored : { ...stored, ...decodedLogs(history) };
  const isErased = erasedTest(removals);
  const inline = (await inlineDeltas(objects, waitingDeltas)).map((deltas) => withoutErased(deltas, isErased));
  const waiting = { inline, columns: entries && decodedColumns(entries, isErased) };
  const { rows, replayed: made } = await stateOverlay(project, kind, waiting, lookup);
  const gone =
    removals && removals.erased.length > 0 ? await entries?.erased({ salt: removals.salt, digests: removals.erased }) : undefined;
  const replayed = gone === undefined || gone.length === 0 ? made : new Set([...made, ...gone]);
  return { rows: rows.size === 0 ? null : await encodeRows(kind, [...rows], { replacing: true }), replayed };
};

type IdTest = (id: string) => boolean;

const erasedTest = (removals: PinnedState["removals"]): IdTest => {
  if (removals === undefined || removals.erased.length === 0) return () => false;
  const digests = new Set(removals.erased);
  return (id) => digests.has(erasedDigest(removals.salt, id));
};

const withoutErased = (deltas: Deltas, isErased: IdTest): Deltas => ({
  ...deltas,
  seen: deltas.seen.filter(({ id }) => !isErased(id)),
  persons: deltas.persons.filter(({ id }) => !isErased(id)),
});

const decodedColumns = (reader: EntryReader, isErased: IdTest): DeltaColumns => ({
  persons: async (which) => withoutErased(decoded(await reader.persons(which)), isErased).persons,
  groups: async () => decoded(await reader.groups()).groups,
  seen: async (ids) => withoutErased(decoded(await reader.seen(ids)), isErased).seen,
  tied: async () => (await reader.tied()).filter((id) => !isErased(id)),
});

const decoded = (entries: readonly StoredEntry[]): Deltas =>
  deltasOfEntries(
    entries.map(([kind, id, time, index, uuid, last, body = null]) => ({
      ...{ kind, id, at: { time: BigInt(time), index, uuid }, last: BigInt(last), body },
    })),
  );

const decodedLogs = (reader: LogReader): Pick<StateLookup, "logs" | "tied"> => ({
  logs: (ids) => reader.logs(ids, decodeLog),
  tied: () => reader.tied(decodeLog),
});

/** An object of waiting deltas that is a file of entries: how many, each in a row. */
interface DeltaFile {
  readonly key: string;
  readonly bytes: number;
  readonly entries: number;
}

/** The objects of waiting deltas that are files of entries. */
export const deltaFiles = (waiting: readonly Commit[]): readonly DeltaFile[] =>
  waiting.flatMap(({ deltas }) => {
    if (deltas === null || "inline" in deltas || deltas.entries === undefined) return [];
    return [{ key: deltas.key, bytes: deltas.bytes, entries: deltas.entries }];
  });

/** Deltas that a process remembers, by what they were read for: a waiting commit is asked for by every query until it is folded. */
const MOST_REMEMBERED_BYTES = 8_000_000;
const deltasRead = perOwner((_: Pick<Objects, "get">) =>
  cache<string, { readonly deltas: Deltas; readonly bytes: number }>({ capacity: MOST_REMEMBERED_BYTES, weigh: ({ bytes }) => bytes }),
);

/** The deltas of waiting commits that are not in a file of columns. */
export const inlineDeltas = (objects: Pick<Objects, "get">, waiting: readonly Commit[]): Promise<readonly Deltas[]> =>
  Promise.all(waiting.filter((commit) => !isFiled(commit)).map((commit) => readCommitDeltas(objects, commit)));

export const isFiled = ({ deltas }: Commit): boolean => deltas !== null && "key" in deltas && deltas.entries !== undefined;

const readCommitDeltas = async (objects: Pick<Objects, "get">, { deltas }: Commit): Promise<Deltas> => {
  if (deltas === null || "inline" in deltas) return readDeltas(objects, deltas);
  const known = deltasRead(objects).get(deltas.key);
  if (known !== undefined) return known.deltas;
  const read = { deltas: await readDeltas(objects, deltas), bytes: deltas.bytes };
  deltasRead(objects).set(deltas.key, read);
  return read.deltas;
};
