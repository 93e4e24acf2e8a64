import { Defect } from "../../../core/unreachable.ts";
import type { EarnedColumn } from "../../../event/earned-properties.ts";
import { type ColumnKind, EVENT_COLUMNS, RARE_COLUMNS } from "../../../event/event.ts";
import type { HotProperty } from "../../../event/hot-properties.ts";
import { QUARTER_HOUR } from "../../../event/quarter-hours.ts";
import { jsonPath } from "../../../hogql/json-path.ts";
import type { LoweredSql } from "../../../hogql/lowered-query.ts";
import { literal, quoteName } from "../../duckdb/sql-text.ts";
import type { EventRead, ReadPlaces } from "../../pinned-files.ts";

/** Whether only the needed columns of files are fetched, or whole files. */
export type FetchMode = "columns" | "whole";

/** A scan turned into a relation over local files, which stay until `release`. */
export interface BoundScan {
  readonly name: string;
  readonly body: string;
  /** The path of a file that the body reads by its name. */
  readonly kept?: string;
  readonly fetchedBytes: number;
  readonly neededBytes: number;
  /** Files were left out, whose rows come behind those of the others. */
  readonly isPart?: boolean;
  release(): void;
}

/** DuckDB's types of what columns of event files hold. */
const ENGINE_TYPES: Readonly<Record<ColumnKind, string>> = {
  uuid: "UUID",
  text: "VARCHAR",
  optional: "VARCHAR",
  number: "DOUBLE",
  timestamp: "TIMESTAMPTZ",
  int64: "BIGINT",
  int32: "INTEGER",
  boolean: "BOOLEAN",
};

const EVENT_TYPES: ReadonlyMap<string, string> = new Map([
  ...EVENT_COLUMNS.map(({ name, kind }) => [name, ENGINE_TYPES[kind]] as const),
  [QUARTER_HOUR, ENGINE_TYPES.timestamp],
]);

const STATE_TYPES: Readonly<Record<"persons" | "person_distinct_ids" | "groups", ReadonlyMap<string, string>>> = {
  persons: new Map([
    ["person_id", "UUID"],
    ["distinct_id", "VARCHAR"],
    ["created_at", "TIMESTAMPTZ"],
    ["properties", "VARCHAR"],
    ["is_identified", "BOOLEAN"],
    ["last_seen_at", "TIMESTAMPTZ"],
  ]),
  person_distinct_ids: new Map([
    ["distinct_id", "VARCHAR"],
    ["person_id", "UUID"],
  ]),
  groups: new Map([
    ["index", "INTEGER"],
    ["key", "VARCHAR"],
    ["created_at", "TIMESTAMPTZ"],
    ["updated_at", "TIMESTAMPTZ"],
    ["properties", "VARCHAR"],
  ]),
};

/** Types of the columns that a scan may name. */
export const columnTypes = (kind: "events" | keyof typeof STATE_TYPES): ReadonlyMap<string, string> =>
  kind === "events" ? EVENT_TYPES : STATE_TYPES[kind];

/** A text as an expression: a tenant's reaches a statement as hexadecimal digits only. */
export const hexText = (text: string): string => `decode(unhex('${Buffer.from(text).toString("hex")}'))`;

/** A relation of no rows with the right types. */
export const emptyRelation = (columns: readonly string[], types: ReadonlyMap<string, string>): string => {
  const list = columns.map((column) => `NULL::${columnType(types, column)} AS ${quoteName(column)}`);
  return `SELECT ${list.length === 0 ? "1 AS one" : list.join(", ")} WHERE false`;
};

/** The select list of a scan; a scan that names no column still has rows to count. */
export const selectList = (columns: readonly string[], types: ReadonlyMap<string, string>): string => {
  for (const column of columns) columnType(types, column);
  return columns.length === 0 ? "1 AS one" : columns.map(quoteName).join(", ");
};

/** The select list of a scan of events over files that have what is read at these places. */
export const eventList = ({ columns, earned = [] }: EventRead, places: ReadPlaces): string => {
  const own = columns.map((column) => {
    if (column === QUARTER_HOUR && !places.quarterHours) return `timestamp AS ${QUARTER_HOUR}`;
    const hot = RARE_COLUMNS.get(column);
    if (hot === undefined || places[hot.set] === "columns") return selectList([column], EVENT_TYPES);
    return `${places[hot.set] === "none" ? `NULL::${columnType(EVENT_TYPES, column)}` : hotFromJson(hot)} AS ${quoteName(column)}`;
  });
  const list = [...own, ...earnedList(earned, places.earned, unlessEmptyOnce)];
  return list.length === 0 ? selectList([], EVENT_TYPES) : list.join(", ");
};

const unlessEmpty = (text: string): string => `nullif(${text}, '')`;

/**
 * The same with its text but once. A condition on a column of a scan is asked while the file is read, where a text that stands in it twice is
 * taken from the JSON twice; elsewhere this form takes longer.
 */
const unlessEmptyOnce = (text: string): string => `list_filter([${text}], lambda text: text <> '')[1]`;

/**
 * What the columns of earned properties hold, from those that are there and else from the JSON: of several in one reading, which costs
 * hardly more than one.
 */
export const earnedList = (
  earned: readonly EarnedColumn[],
  there: readonly string[] = [],
  orNull: (text: string) => string = unlessEmpty,
): readonly string[] => {
  const inJson = earned.filter(({ column }) => !there.includes(column));
  const paths = inJson.map(({ property }) => hexText(jsonPath([property])));
  const texts = `json_extract_string(properties, ${paths.length === 1 ? paths[0] : `[${paths.join(", ")}]`})`;
  return earned.map((one) => {
    const at = inJson.indexOf(one);
    if (at === -1) return quoteName(one.column);
    const text = paths.length === 1 ? texts : `(${texts})[${at + 1}]`;
    return `${one.type === "text" ? orNull(text) : `TRY_CAST(${text} AS DOUBLE)`} AS ${quoteName(one.column)}`;
  });
};

/** Types of the columns of earned properties. */
export const earnedTypes = (earned: readonly EarnedColumn[]): ReadonlyMap<string, string> =>
  new Map(earned.map(({ column, type }) => [column, type === "text" ? "VARCHAR" : "DOUBLE"]));

/** The value that the column of a hot property would hold. */
const hotFromJson = ({ property, type }: HotProperty): string => {
  const path = literal(`$."${property}"`);
  const text = `json_extract_string(properties, ${path})`;
  if (type === "text") return unlessEmptyOnce(text);
  return `list_filter([TRY_CAST(${text} AS DOUBLE)], lambda number: isfinite(number))[1]`;
};

const columnType = (types: ReadonlyMap<string, string>, column: string): string => {
  const type = types.get(column);
  if (type === undefined) throw new Defect(`a scan asks for the column ${column}, which its table does not have`);
  return type;
};

/** A row's place among files read together, as one number: files are numbered in the order of the list. */
export const ROW_PLACE = "(file_index::BIGINT * 4294967296 + file_row_number)";
export const rowPlace = (file: number, row: number): number => file * 4_294_967_296 + row;

/** The UTC day of a time, days since 1970: by integers, since the type's own functions ask the zone for every row. */
export const utcDay = (column: string): string =>
  `((epoch_us(${column}) - (((epoch_us(${column}) % ${DAY_US}) + ${DAY_US}) % ${DAY_US})) // ${DAY_US})`;
const DAY_US = 86_400_000_000;

/** A query with relations put before it, and before the queries that it names behind its own WITH. */
export const withRelations = (
  { ctes = [], sql }: Pick<LoweredSql, "ctes" | "sql">,
  relations: readonly { readonly name: string; readonly body: string }[],
): string => {
  const named = [...relations.map(({ name, body }) => `${quoteName(name)} AS NOT MATERIALIZED (${body})`), ...ctes];
  return named.length === 0 ? sql : `WITH ${named.join(", ")} ${sql}`;
};
