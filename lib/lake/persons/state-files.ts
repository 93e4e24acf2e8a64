import { cache, perOwner } from "../../core/cache.ts";
import { holdsBigInteger } from "../../core/exact-json.ts";
import { firstWhere } from "../../core/first-where.ts";
import type { EarnedColumn } from "../../event/earned-properties.ts";
import type { Objects } from "../../ports/objects.ts";
import type { Ids } from "../../ports/system.ts";
import type { StateFile } from "../catalogue.ts";
import { snapshotKey } from "../paths.ts";
import type { IdLog } from "./person-log.ts";
import { type ChosenRows, encodeChosen, readStateFile, rowAt, type StateColumns } from "./state-columns.ts";
import { STATE_FORMAT, type StateKind, type StateValues } from "./state-rows.ts";

const FOLDERS = { persons: "persons", distinctIds: "distinct-ids", groups: "groups", history: "history" } as const;

/** The files whose rows replace those of the same key in files of lower layers. */
export const layeredFiles = (files: readonly StateFile[]): readonly StateFile[] => files.filter(({ layer = 0 }) => layer > 0);

/** Writes a file of each of some lists of rows, all sorted by key, with the text columns that properties of theirs have earned. */
export const writeFiles = async (
  parts: { readonly objects: Objects; readonly ids: Ids },
  project: number,
  kind: StateKind,
  lists: AsyncIterable<ChosenRows>,
  layer: number,
  earned: readonly EarnedColumn[] = [],
): Promise<readonly StateFile[]> => {
  const files: StateFile[] = [];
  const facts = { layer, v: STATE_FORMAT, ...(earned.length > 0 && { earned: earned.map(({ column }) => column) }) };
  for await (const chosen of lists) {
    const content = await encodeChosen(kind, chosen, { replacing: layer > 0, earned });
    const key = snapshotKey(project, FOLDERS[kind], parts.ids.ulid());
    await parts.objects.put(key, content);
    const keys = [keyAt(chosen, 0), keyAt(chosen, chosen.at.length - 1)] as const;
    files.push({ key, bytes: content.length, rows: chosen.at.length, ...facts, keys, ...propertyFacts(kind, chosen) });
  }
  return files;
};

const propertyFacts = (kind: StateKind, { from, at }: ChosenRows): Pick<StateFile, "bigIntegers"> => {
  if (kind !== "persons" && kind !== "groups") return {};
  return { bigIntegers: from.some(({ values }, row) => holdsBigInteger(String(values.get("properties")?.[at[row] ?? 0]))) };
};

const keyAt = ({ from, at }: ChosenRows, row: number): string => from[row]?.keys[at[row] ?? 0] ?? "";

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
    const rows = await rememberedRows(objects, kind, file);
    for (const key of sorted.slice(from, to)) {
      const place = firstWhere(rows.keys, (each) => each >= key);
      if (rows.keys[place] !== key) continue;
      const [, value] = rowAt(kind, rows, place);
      if (value === null) found.delete(key);
      else found.set(key, value);
    }
  }
  return found;
};

/** Memory for rows of files that a process keeps for further look-ups. The files never change. */
const MOST_REMEMBERED_BYTES = 80_000_000;

const rowsRead = perOwner((_: Pick<Objects, "get">) =>
  cache<string, RowsRead>({ capacity: MOST_REMEMBERED_BYTES, weigh: ({ weight }) => weight }),
);

interface RowsRead {
  readonly rows: StateColumns;
  readonly weight: number;
}

/** Bytes in memory, about: a row is a few short texts, and texts take several times what they take packed. */
const fileWeight = ({ rows, bytes }: StateFile): number => 150 * rows + 6 * bytes;

const rememberedRows = async (objects: Pick<Objects, "get">, kind: StateKind, file: StateFile): Promise<StateColumns> => {
  const known = rowsRead(objects).get(file.key);
  if (known !== undefined) return known.rows;
  const rows = await readStateFile(objects, kind, file);
  rowsRead(objects).set(file.key, { rows, weight: fileWeight(file) });
  return rows;
};

/** All logs of a state that merges tie to others. */
export const tiedLogs = async (objects: Pick<Objects, "get">, files: readonly StateFile[]): Promise<ReadonlyMap<string, IdLog>> => {
  const found = new Map<string, IdLog>();
  for (const file of files.toSorted(byLayer)) {
    const rows = await readStateFile(objects, "history", file);
    const tied = rows.values.get("tied");
    for (let at = 0; at < rows.keys.length; at += 1) {
      if (tied?.[at] === false) continue;
      const [id, log] = rowAt("history", rows, at);
      if (log) found.set(id, log);
    }
  }
  return found;
};

const byLayer = (a: StateFile, b: StateFile): number => (a.layer ?? 0) - (b.layer ?? 0);

/** Which of sorted keys a file may hold: from one place up to before another. */
const within = ({ keys: bounds }: StateFile, sorted: readonly string[]): readonly [number, number] =>
  bounds === undefined ? [0, sorted.length] : [firstWhere(sorted, (key) => key >= bounds[0]), firstWhere(sorted, (key) => key > bounds[1])];
