import { Defect } from "../../core/unreachable.ts";
import { jsonText } from "../../event/hot-properties.ts";
import type { Column } from "../parquet/parquet-pages.ts";
import { parquetFile, type Value } from "../parquet.ts";
import { decodeGroupEntries, encodeGroupEntries, type GroupLog } from "./group-log.ts";
import { decodeLog, encodeLog, type IdLog, isTied } from "./person-log.ts";

/** A person as queries see it. Times are microseconds since 1970. */
export interface PersonRow {
  /** The distinct_id that is its own person's: its hash is the person's id. Others of the person are in `distinctIds`. */
  readonly distinct_id: string;
  readonly created_at: bigint;
  /** JSON. */
  readonly properties: string;
  readonly is_identified: boolean;
  readonly last_seen_at: bigint;
}

/** The rows of the state, each by its key: person_id, distinct_id, `groupName`, distinct_id. */
export interface StateValues {
  readonly persons: PersonRow;
  /** The person_id of an id whose person is not its own hash. */
  readonly distinctIds: string;
  readonly groups: GroupLog;
  readonly history: IdLog;
}
export type StateKind = keyof StateValues;
export const STATE_KINDS: readonly StateKind[] = ["persons", "distinctIds", "groups", "history"];

/** A value by its key; null says that what was there before is gone. */
export type StateRow<K extends StateKind> = readonly [key: string, value: StateValues[K] | null];

/** Values of one kind by key, null where what was there is gone. */
export type StateMap<K extends StateKind> = ReadonlyMap<string, StateValues[K] | null>;

/** Version of the state's files, kept in their metadata. Since 2 a log says whether merges tie it to others. */
export const STATE_FORMAT = 2;

/** How the rows of one kind look in a file. `gone` is written only where rows replace others. */
interface Codec<T> {
  columns(rows: readonly (readonly [string, T | null])[]): readonly Column[];
  value(row: StoredRow): T;
}

/** A row as it stands in a file, read but not decoded. */
export type StoredRow = Readonly<Record<string, Value>>;

const text = (name: string, values: readonly string[]): Column => ({
  name,
  kind: "utf8",
  values,
  nullable: false,
  repeats: false,
});
const stamps = (name: string, values: readonly bigint[]): Column => ({ name, kind: "timestamp", values: BigInt64Array.from(values) });

const CODECS: { readonly [K in StateKind]: Codec<StateValues[K]> } = {
  persons: {
    columns: (rows) => [
      { name: "person_id", kind: "uuid", values: rows.map(([id]) => id), repeats: false },
      text(
        "distinct_id",
        rows.map(([, row]) => row?.distinct_id ?? ""),
      ),
      stamps(
        "created_at",
        rows.map(([, row]) => row?.created_at ?? 0n),
      ),
      text(
        "properties",
        rows.map(([, row]) => row?.properties ?? "{}"),
      ),
      { name: "is_identified", kind: "boolean", values: rows.map(([, row]) => row?.is_identified ?? false) },
      stamps(
        "last_seen_at",
        rows.map(([, row]) => row?.last_seen_at ?? 0n),
      ),
    ],
    value: (row) => ({
      distinct_id: requireText(row.distinct_id),
      created_at: requireBigint(row.created_at),
      properties: requireText(row.properties),
      is_identified: row.is_identified === true,
      last_seen_at: requireBigint(row.last_seen_at),
    }),
  },
  distinctIds: {
    columns: (rows) => [
      text(
        "distinct_id",
        rows.map(([id]) => id),
      ),
      { name: "person_id", kind: "uuid", values: rows.map(([, person]) => person ?? NOBODY), repeats: true },
    ],
    value: (row) => requireText(row.person_id),
  },
  groups: {
    columns: (rows) => [
      { name: "index", kind: "int32", values: Int32Array.from(rows, ([name, log]) => log?.slot ?? Number.parseInt(name, 10)) },
      text(
        "key",
        rows.map(([name, log]) => log?.key ?? name.slice(name.indexOf(":") + 1)),
      ),
      stamps(
        "created_at",
        rows.map(([, log]) => log?.createdAt ?? 0n),
      ),
      stamps(
        "updated_at",
        rows.map(([, log]) => log?.updatedAt ?? 0n),
      ),
      text(
        "properties",
        rows.map(([, log]) => (log ? groupProperties(log) : "{}")),
      ),
      text(
        "entries",
        rows.map(([, log]) => (log ? encodeGroupEntries(log) : "[]")),
      ),
    ],
    value: (row) => ({
      slot: Number(row.index),
      key: requireText(row.key),
      createdAt: requireBigint(row.created_at),
      updatedAt: requireBigint(row.updated_at),
      properties: decodeGroupEntries(requireText(row.entries)),
    }),
  },
  history: {
    columns: (rows) => [
      text(
        "distinct_id",
        rows.map(([id]) => id),
      ),
      text(
        "log",
        rows.map(([, log]) => (log ? encodeLog(log) : "{}")),
      ),
      { name: "tied", kind: "boolean", values: rows.map(([, log]) => log !== null && isTied(log)) },
    ],
    value: (row) => decodeLog(requireText(row.log)),
  },
};

const NOBODY = "00000000-0000-0000-0000-000000000000";

const groupProperties = ({ properties }: GroupLog): string =>
  jsonText(
    Object.fromEntries([...properties].map(([name, { value }]): [string, unknown] => [name, value]).sort(([a], [b]) => (a < b ? -1 : 1))),
  );

/** A Parquet file of rows in the order given; with a column `gone` where the rows replace others. */
export const encodeRows = async <K extends StateKind>(
  kind: K,
  rows: readonly StateRow<K>[],
  options: { readonly replacing: boolean },
): Promise<Uint8Array> => {
  const gone: Column = { name: "gone", kind: "boolean", values: rows.map(([, value]) => value === null) };
  const columns = CODECS[kind].columns(rows);
  const file = await parquetFile(options.replacing ? [...columns, gone] : columns, rows.length, { v: String(STATE_FORMAT) });
  return file.content;
};

/** The columns of a kind's files without any rows, and how a row of them is read. */
export const columnsOfKind = (kind: StateKind): readonly Column[] => CODECS[kind].columns([]);

/** The columns of rows, without `gone`. */
export const columnsOfRows = <K extends StateKind>(kind: K, rows: readonly StateRow<K>[]): readonly Column[] => CODECS[kind].columns(rows);

export const decodeValue = <K extends StateKind>(kind: K, row: StoredRow): StateValues[K] => CODECS[kind].value(row);

export const requireText = (value: Value | undefined): string => (typeof value === "string" ? value : malformed());
export const requireBigint = (value: Value | undefined): bigint => (typeof value === "bigint" ? value : malformed());
export const malformed = (): never => {
  throw new Defect("a file of the state has other columns than this version writes");
};
