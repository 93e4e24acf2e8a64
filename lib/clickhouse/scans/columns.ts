import { Defect } from "../../core/unreachable.ts";
import { type ColumnKind, EVENT_COLUMNS } from "../../event/event.ts";
import type { StateScan } from "../../hogql/lowered-query.ts";
import { quoteName, quoteText } from "../sql/quote.ts";
import type { ColumnTypes } from "./lake-files.ts";

/** Microseconds since 1970: ClickHouse reads and compares all that fit, whatever its documentation says of years. */
const TIME = "DateTime64(6, 'UTC')";

/** ClickHouse's types of what columns of event files hold. */
const TYPES: Readonly<Record<ColumnKind, string>> = {
  uuid: "UUID",
  text: "String",
  optional: "Nullable(String)",
  number: "Nullable(Float64)",
  timestamp: TIME,
  int64: "Int64",
  int32: "Int32",
  boolean: "Bool",
};

export const EVENT_TYPES: ColumnTypes = new Map(EVENT_COLUMNS.map(({ name, kind }) => [name, TYPES[kind]]));

/** The columns that queries read of a kind of the state. */
export const STATE_TYPES: Readonly<Record<StateScan["kind"], ColumnTypes>> = {
  persons: new Map([
    ["person_id", "UUID"],
    ["distinct_id", "String"],
    ["created_at", TIME],
    ["properties", "String"],
    ["is_identified", "Bool"],
    ["last_seen_at", TIME],
  ]),
  person_distinct_ids: new Map([
    ["distinct_id", "String"],
    ["person_id", "UUID"],
  ]),
  groups: new Map([
    ["index", "Int32"],
    ["key", "String"],
    ["created_at", TIME],
    ["updated_at", TIME],
    ["properties", "String"],
  ]),
};

/** In files whose rows replace others: whether the row says only that what was there is gone. */
export const GONE = ["gone", "Bool"] as const;

/** Columns of files of deltas that say who was seen when. */
export const SIGHTING_TYPES: ColumnTypes = new Map([
  ["kind", "Int32"],
  ["distinct_id", "String"],
  ["person_id", "UUID"],
  ["time", TIME],
  ["last", TIME],
]);

/** Some of the columns, with their types. */
export const pickTypes = (types: ColumnTypes, columns: Iterable<string>): ColumnTypes =>
  new Map(Array.from(columns, (column) => [column, typeIn(types, column)] as const));

const typeIn = (types: ColumnTypes, column: string): string => {
  const type = types.get(column);
  if (type === undefined) throw new Defect(`a query asks for the column ${column}, which its table does not have`);
  return type;
};

export const columnList = (columns: readonly string[]): string => columns.map(quoteName).join(", ");

/** A relation of no rows with the right types. */
export const emptyRelation = (types: ColumnTypes): string =>
  `SELECT ${[...types].map(([name, type]) => `materialize(defaultValueOfTypeName(${quoteText(type)})) AS ${quoteName(name)}`).join(", ")} WHERE false`;
