import type { Objects } from "../../ports/objects.ts";
import type { StateFile } from "../catalogue.ts";
import { buildColumns, type ChosenRows, isGone, readStateFile, readStateKeys, rowAt, type StateColumns } from "./state-columns.ts";
import type { StateKind, StateRow } from "./state-rows.ts";

/** How merged rows are cut into lists, and whether those are among them that say that something is gone. */
interface Cut {
  readonly most: number;
  readonly withGone: boolean;
  /** How a file is read, where that is not whole. */
  readonly read?: ReadFile;
}

type ReadFile = (file: StateFile) => Promise<StateColumns>;

/**
 * The rows of some files, of which those of higher layers replace others of the same key and the newest all of them, sorted by key;
 * one file of each layer is in memory, and none of their rows is decoded.
 */
export async function* mergedRows(
  objects: Pick<Objects, "get">,
  kind: StateKind,
  files: readonly StateFile[],
  newest: StateColumns,
  { most, withGone, read = (file) => readStateFile(objects, kind, file) }: Cut,
): AsyncGenerator<ChosenRows> {
  const layers = [...Map.groupBy(files, ({ layer = 0 }) => layer)].sort(([a], [b]) => a - b);
  const streams = [...layers.map(([, own]) => filesInTurn(read, own)), inTurn([newest])].map(
    (rest): Stream => ({ rest, rows: NONE, at: 0 }),
  );
  for (const stream of streams) await refill(stream);
  let [from, at]: [StateColumns[], number[]] = [[], []];
  for (;;) {
    const next = least(streams);
    if (next === undefined) break;
    const key = next.rows.keys[next.at];
    if (withGone || !isGone(next.rows, next.at)) {
      from.push(next.rows);
      at.push(next.at);
    }
    for (const stream of streams) {
      if (stream.rows.keys[stream.at] !== key) continue;
      stream.at += 1;
      if (stream.at === stream.rows.keys.length) await refill(stream);
    }
    if (at.length === most) {
      yield { from, at };
      [from, at] = [[], []];
    }
  }
  if (at.length > 0) yield { from, at };
}

/** Rows of one layer, from a place on; all is read when there is none at the place. */
interface Stream {
  readonly rest: AsyncIterator<StateColumns>;
  rows: StateColumns;
  at: number;
}

const NONE: StateColumns = Object.freeze({ keys: [], values: new Map() });

const refill = async (stream: Stream): Promise<void> => {
  do {
    const { value, done } = await stream.rest.next();
    stream.rows = done ? NONE : value;
    stream.at = 0;
    if (done) return;
  } while (stream.rows.keys.length === 0);
};

/** The stream with the least key, of equal ones the last. */
const least = (streams: readonly Stream[]): Stream | undefined => {
  let found: Stream | undefined;
  let lowest = "";
  for (const stream of streams) {
    const key = stream.rows.keys[stream.at];
    if (key === undefined || (found !== undefined && key > lowest)) continue;
    found = stream;
    lowest = key;
  }
  return found;
};

/** All rows of some files after replacement, decoded, without those that are gone. */
export async function* currentRows<K extends StateKind>(
  objects: Pick<Objects, "get">,
  kind: K,
  files: readonly StateFile[],
  newest: readonly StateRow<K>[] = [],
): AsyncGenerator<StateRow<K>> {
  for await (const { from, at } of mergedRows(objects, kind, files, buildColumns(kind, newest), { most: 1_000, withGone: false })) {
    for (const [row, rows] of from.entries()) yield rowAt(kind, rows, at[row] ?? 0);
  }
}

/**
 * The places, ascending, of the rows of each file that are not current: another layer replaces them, or they say that something is gone.
 * Reads keys alone; files without such rows are left out.
 */
export const replacedRows = async (
  objects: Pick<Objects, "get">,
  kind: "persons" | "distinctIds",
  files: readonly StateFile[],
): Promise<ReadonlyMap<StateFile, readonly number[]>> => {
  if (files.every(({ layer = 0 }) => layer === 0)) return new Map();
  const current = new Map(files.map((file) => [file, new Uint8Array(file.rows)]));
  const marks = new WeakMap<StateColumns, Uint8Array>();
  const read: ReadFile = async (file) => {
    const rows = await readStateKeys(objects, kind, file);
    const own = current.get(file);
    if (own) marks.set(rows, own);
    return rows;
  };
  for await (const { from, at } of mergedRows(objects, kind, files, NONE, { most: 10_000, withGone: false, read }))
    for (const [row, rows] of from.entries()) marks.get(rows)?.fill(1, at[row], (at[row] ?? 0) + 1);
  return new Map(
    [...current].flatMap(([file, own]) => {
      const places: number[] = [];
      for (const [place, isCurrent] of own.entries()) if (isCurrent === 0) places.push(place);
      return places.length === 0 ? [] : [[file, places] as const];
    }),
  );
};

async function* filesInTurn(read: ReadFile, files: readonly StateFile[]): AsyncGenerator<StateColumns> {
  for (const file of files.toSorted((a, b) => ((a.keys?.[0] ?? "") < (b.keys?.[0] ?? "") ? -1 : 1))) yield await read(file);
}

async function* inTurn<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
