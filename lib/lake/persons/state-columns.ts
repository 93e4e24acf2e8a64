import { exactJson } from "../../core/exact-json.ts";
import { Defect } from "../../core/unreachable.ts";
import { type EarnedColumn, earnedText } from "../../event/earned-properties.ts";
import type { Fields } from "../../event/fields.ts";
import type { Objects } from "../../ports/objects.ts";
import type { StateFile } from "../catalogue.ts";
import type { Column } from "../parquet/parquet-pages.ts";
import { parquetFile, readColumns, type Value } from "../parquet.ts";
import { groupName } from "./group-log.ts";
import { decodeLog, isTied } from "./person-log.ts";
import {
  columnsOfKind,
  columnsOfRows,
  decodeValue,
  malformed,
  requireBigint,
  requireText,
  STATE_FORMAT,
  type StateKind,
  type StateRow,
  type StateValues,
} from "./state-rows.ts";

/** Rows of one kind as they stand in a file, by column and sorted by key: nearly all are passed on as they are, or not looked at. */
export interface StateColumns {
  readonly keys: ArrayLike<string>;
  readonly values: ReadonlyMap<string, ArrayLike<Value>>;
}

/** Rows chosen from several: each by where it comes from and its place there. */
export interface ChosenRows {
  readonly from: readonly StateColumns[];
  readonly at: readonly number[];
}

/** The columns of rows that are sorted by key; null says that a row is gone. */
export const buildColumns = <K extends StateKind>(kind: K, rows: readonly StateRow<K>[]): StateColumns => ({
  keys: rows.map(([key]) => key),
  values: new Map<string, ArrayLike<Value>>([
    ...columnsOfRows(kind, rows).map(({ name, values }) => [name, values] as const),
    ["gone", rows.map(([, value]) => value === null)],
  ]),
});

/** The columns of a file of the state. */
export const readStateFile = async (objects: Pick<Objects, "get">, kind: StateKind, file: StateFile): Promise<StateColumns> => {
  const values = await readColumns(await fileBytes(objects, file));
  if (kind === "history" && !values.has("tied"))
    return { keys: rowKeys(kind, values), values: new Map([...values, ["tied", findTied(values)]]) };
  return { keys: rowKeys(kind, values), values };
};

/** Its keys alone, and which of them are gone. */
export const readStateKeys = async (objects: Pick<Objects, "get">, kind: keyof typeof KEYS, file: StateFile): Promise<StateColumns> => {
  const wanted = (file.layer ?? 0) > 0 ? [KEYS[kind], "gone"] : [KEYS[kind]];
  const values = await readColumns(await fileBytes(objects, file), wanted);
  return { keys: rowKeys(kind, values), values };
};

const fileBytes = async (objects: Pick<Objects, "get">, { key }: StateFile): Promise<Uint8Array> => {
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new Defect(`the file ${key} of the state is missing`);
  return bytes;
};

const KEYS = { persons: "person_id", distinctIds: "distinct_id", history: "distinct_id" } as const;

const rowKeys = (kind: StateKind, values: StateColumns["values"]): readonly string[] => {
  if (kind !== "groups") return Array.from(column(values, KEYS[kind]), requireText);
  const slots = column(values, "index");
  return Array.from(column(values, "key"), (key, at) => groupName({ slot: Number(slots[at]), key: requireText(key) }));
};

/** Files of the first version do not say it. */
const findTied = (values: StateColumns["values"]): readonly boolean[] =>
  Array.from(column(values, "log"), (log) => isTied(decodeLog(requireText(log))));

const column = (values: StateColumns["values"], name: string): ArrayLike<Value> => values.get(name) ?? malformed();

export const isGone = ({ values }: StateColumns, at: number): boolean => values.get("gone")?.[at] === true;

export const rowAt = <K extends StateKind>(kind: K, rows: StateColumns, at: number): StateRow<K> => [
  requireText(rows.keys[at]),
  isGone(rows, at) ? null : valueAt(kind, rows, at),
];

const valueAt = <K extends StateKind>(kind: K, { values }: StateColumns, at: number): StateValues[K] => {
  const row: Record<string, Value> = {};
  for (const [name, own] of values) row[name] = own[at] ?? null;
  return decodeValue(kind, row);
};

/**
 * A Parquet file of chosen rows, in their order; with a column `gone` where the rows replace others, and with the text columns that
 * properties of theirs have earned.
 */
export const encodeChosen = async (
  kind: StateKind,
  chosen: ChosenRows,
  { replacing, earned }: { readonly replacing: boolean; readonly earned: readonly EarnedColumn[] },
): Promise<Uint8Array> => {
  const gone: Column = { name: "gone", kind: "boolean", values: chosen.from.map((rows, row) => isGone(rows, chosen.at[row] ?? 0)) };
  const columns = [...columnsOfKind(kind).map((each) => filled(each, chosen)), ...earnedColumns(earned, chosen)];
  const file = await parquetFile(replacing ? [...columns, gone] : columns, chosen.at.length, { v: String(STATE_FORMAT) });
  return file.content;
};

/** The texts of properties, from the columns of files that have them already, and else out of the JSON, which is read once a row. */
const earnedColumns = (earned: readonly EarnedColumn[], { from, at }: ChosenRows): readonly Column[] => {
  const known = new Map([...new Set(from)].map((rows) => [rows, earned.map(({ column: name }) => rows.values.get(name))] as const));
  const columns = earned.map(
    ({ column: name }) => ({ name, kind: "utf8", values: [] as (string | null)[], nullable: true, repeats: true }) as const,
  );
  for (const [row, rows] of from.entries()) {
    const [place, own] = [at[row] ?? 0, known.get(rows) ?? []];
    const properties = own.includes(undefined) ? propertiesOf(rows, place) : {};
    for (const [index, { property }] of earned.entries()) {
      const stored = own[index];
      columns[index]?.values.push(stored === undefined ? earnedText(ownValue(properties, property)) : textOrNull(stored[place]));
    }
  }
  return columns;
};

/** Only `encodeRows` and this file write them, as objects. */
const propertiesOf = ({ values }: StateColumns, place: number): Fields =>
  exactJson(requireText(column(values, "properties")[place])) as Fields;

const ownValue = (properties: Fields, name: string): unknown => (Object.hasOwn(properties, name) ? properties[name] : undefined);

const textOrNull = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);

/** A column with the values of chosen rows. */
const filled = (empty: Column, chosen: ChosenRows): Column => {
  switch (empty.kind) {
    case "utf8":
    case "uuid":
      return { ...empty, values: readValues(empty.name, chosen, requireText) };
    case "boolean":
      return { ...empty, values: readValues(empty.name, chosen, (value) => value === true) };
    case "int32":
      return { ...empty, values: Int32Array.from(readValues(empty.name, chosen, Number)) };
    case "int64":
    case "timestamp":
      return { ...empty, values: BigInt64Array.from(readValues(empty.name, chosen, requireBigint)) };
    case "double":
      return malformed();
  }
};

const readValues = <T>(name: string, { from, at }: ChosenRows, as: (value: Value | undefined) => T): T[] => {
  const columns = new Map([...new Set(from)].map((rows) => [rows, column(rows.values, name)] as const));
  let [rows, own]: [StateColumns | undefined, ArrayLike<Value>] = [undefined, []];
  return from.map((each, row) => {
    if (each !== rows) [rows, own] = [each, columns.get(each) ?? malformed()];
    return as(own[at[row] ?? 0]);
  });
};
