import { Defect } from "../../core/unreachable.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Objects } from "../../ports/objects.ts";
import type { StateFile } from "../catalogue/catalogue.ts";
import { snapshotKey } from "../catalogue/paths.ts";
import { type IdLog, isTied } from "./person-log.ts";
import {
  decodeRow,
  decodeRows,
  encodeRows,
  keyOfRow,
  readRows,
  STATE_FORMAT,
  type StateKind,
  type StateRow,
  type StateValues,
  type StoredRow,
} from "./state-rows.ts";

const FOLDERS = { persons: "persons", distinctIds: "distinct-ids", groups: "groups", history: "history" } as const;

/** The files whose rows replace those of the same key in files of lower layers. */
export const layersOf = (files: readonly StateFile[]): readonly StateFile[] => files.filter(({ layer = 0 }) => layer > 0);

/** Writes rows, sorted by key, into as many files as it takes. */
export const writeRows = async <K extends StateKind>(
  parts: { readonly objects: Objects; readonly ids: Ids },
  project: number,
  kind: K,
  rows: AsyncIterable<StateRow<K>>,
  layer: number,
  fileRows: number,
): Promise<readonly StateFile[]> => {
  const files: StateFile[] = [];
  let some: StateRow<K>[] = [];
  const flush = async (): Promise<void> => {
    const [first, last] = [some[0], some.at(-1)];
    if (first === undefined || last === undefined) return;
    const content = await encodeRows(kind, some, { replacing: layer > 0 });
    const key = snapshotKey(project, FOLDERS[kind], parts.ids.ulid());
    await parts.objects.put(key, content);
    files.push({ key, bytes: content.length, rows: some.length, layer, v: STATE_FORMAT, keys: [first[0], last[0]] });
    some = [];
  };
  for await (const row of rows) {
    some.push(row);
    if (some.length === fileRows) await flush();
  }
  await flush();
  return files;
};

/** The values of the keys that have one: of several layers the highest decides. Files without any of the keys are not read. */
export const findRows = async <K extends StateKind>(
  objects: Pick<Objects, "get">,
  kind: K,
  files: readonly StateFile[],
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StateValues[K]>> => {
  const found = new Map<string, StateValues[K]>();
  if (files.length === 0) return found;
  const sorted = [...keys].sort();
  for (const file of files.toSorted(byLayer)) {
    const [from, to] = within(file, sorted);
    if (from === to) continue;
    const rows = await rememberedRows(objects, file);
    for (const key of sorted.slice(from, to)) {
      const row = rowAt(kind, rows, key);
      if (row === undefined) continue;
      const [, value] = decodeRow(kind, row);
      if (value === null) found.delete(key);
      else found.set(key, value);
    }
  }
  return found;
};

/** The rows of some files, of which later ones replace earlier ones of the same key, sorted by key; one file of each layer is in memory. */
export async function* mergedRows<K extends StateKind>(
  objects: Pick<Objects, "get">,
  kind: K,
  files: readonly StateFile[],
  newest: readonly StateRow<K>[],
): AsyncGenerator<StateRow<K>> {
  const layers = [...Map.groupBy(files, ({ layer = 0 }) => layer)].sort(([a], [b]) => a - b);
  const streams = [...layers.map(([, own]) => rowsInTurn(objects, kind, own)), inTurn(newest)];
  const heads = await Promise.all(streams.map(next));
  for (;;) {
    let least: string | undefined;
    for (const head of heads) if (head && (least === undefined || head[0] < least)) least = head[0];
    if (least === undefined) return;
    let chosen: StateRow<K> | undefined;
    for (const [place, head] of heads.entries()) {
      const stream = streams[place];
      if (head?.[0] !== least || stream === undefined) continue;
      chosen = head;
      heads[place] = await next(stream);
    }
    if (chosen) yield chosen;
  }
}

/** All rows of some files after replacement, without those that are gone. */
export async function* currentRows<K extends StateKind>(
  objects: Pick<Objects, "get">,
  kind: K,
  files: readonly StateFile[],
  newest: readonly StateRow<K>[] = [],
): AsyncGenerator<StateRow<K>> {
  for await (const row of mergedRows(objects, kind, files, newest)) if (row[1] !== null) yield row;
}

const next = async <T>(stream: AsyncIterator<T>): Promise<T | undefined> => {
  const result = await stream.next();
  return result.done ? undefined : result.value;
};

async function* rowsInTurn<K extends StateKind>(
  objects: Pick<Objects, "get">,
  kind: K,
  files: readonly StateFile[],
): AsyncGenerator<StateRow<K>> {
  for (const file of files.toSorted((a, b) => ((a.keys?.[0] ?? "") < (b.keys?.[0] ?? "") ? -1 : 1)))
    yield* await decodeRows(kind, await bytesOf(objects, file));
}

async function* inTurn<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

const bytesOf = async (objects: Pick<Objects, "get">, { key }: StateFile): Promise<Uint8Array> => {
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new Defect(`the file ${key} of the state is missing`);
  return bytes;
};

/** Memory for rows of files that a process keeps for further look-ups. The files never change. */
const MOST_REMEMBERED_BYTES = 80_000_000;

const memories = new WeakMap<Pick<Objects, "get">, Map<string, Remembered>>();

interface Remembered {
  readonly rows: readonly StoredRow[];
  readonly weight: number;
}

/** Bytes in memory, about: a row is an object with a few short texts, and texts take several times what they take packed. */
const weightOf = ({ rows, bytes }: StateFile): number => 150 * rows + 6 * bytes;

const rememberedRows = async (objects: Pick<Objects, "get">, file: StateFile): Promise<readonly StoredRow[]> => {
  const memory = memories.get(objects) ?? new Map<string, Remembered>();
  memories.set(objects, memory);
  const kept = memory.get(file.key) ?? { rows: await readRows(await bytesOf(objects, file)), weight: weightOf(file) };
  memory.delete(file.key);
  memory.set(file.key, kept);
  let held = 0;
  for (const { weight } of memory.values()) held += weight;
  for (const [oldest, { weight }] of memory) {
    if (held <= MOST_REMEMBERED_BYTES) break;
    memory.delete(oldest);
    held -= weight;
  }
  return kept.rows;
};

/** All logs of a state that merges tie to others. */
export const tiedLogs = async (objects: Pick<Objects, "get">, files: readonly StateFile[]): Promise<ReadonlyMap<string, IdLog>> => {
  const found = new Map<string, IdLog>();
  for (const file of files.toSorted(byLayer)) {
    for (const row of await readRows(await bytesOf(objects, file))) {
      if (row.tied === false) continue;
      const [id, log] = decodeRow("history", row);
      if (log && isTied(log)) found.set(id, log);
    }
  }
  return found;
};

/** Halves the rows, which are sorted by key, until only the row of the key is left. */
const rowAt = (kind: StateKind, rows: readonly StoredRow[], key: string): StoredRow | undefined => {
  const row = rows[firstWhere(rows, (each) => keyOfRow(kind, each) >= key)];
  return row !== undefined && keyOfRow(kind, row) === key ? row : undefined;
};

const byLayer = (a: StateFile, b: StateFile): number => (a.layer ?? 0) - (b.layer ?? 0);

/** Which of sorted keys a file may hold: from one place up to before another. */
const within = ({ keys: bounds }: StateFile, sorted: readonly string[]): readonly [number, number] =>
  bounds === undefined ? [0, sorted.length] : [firstWhere(sorted, (key) => key >= bounds[0]), firstWhere(sorted, (key) => key > bounds[1])];

/** The first place from which on a condition holds. */
const firstWhere = <T>(sorted: readonly T[], holds: (value: T) => boolean): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle];
    if (value !== undefined && holds(value)) high = middle;
    else low = middle + 1;
  }
  return low;
};
