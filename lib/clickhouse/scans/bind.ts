import { greatest, least } from "../../core/bigints.ts";
import { Defect } from "../../core/unreachable.ts";
import type { EmbeddedEngine } from "../../engine/engine.ts";
import { listFile } from "../../engine/list-file.ts";
import { EVENT_COLUMNS, type EventColumn } from "../../event/event.ts";
import type { EventScan, Scan } from "../../hogql/lowered-query.ts";
import type { StoredTable } from "../../hogql/options.ts";
import type { RowList } from "../../hogql/row-list.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import type { EventRange } from "../../lake/pin.ts";
import type { Objects } from "../../ports/objects.ts";
import type { Need } from "../printer/statement.ts";
import { quoteName } from "../sql/quote.ts";
import { columnList, emptyRelation, pickTypes } from "./columns.ts";
import { eventRelation } from "./event-relation.ts";
import { type ColumnTypes, type LakeReader, readFiles } from "./lake-files.ts";
import { countQuery, type Relation } from "./relation.ts";
import { openStateRelations } from "./state-relation.ts";
import { storedType } from "./stored-type.ts";
import { openWaitingObjects } from "./waiting-objects.ts";

/** The relations of a statement over a pinned state. */
export interface BoundNeeds {
  /** `name AS (…)`, for a WITH ahead of the statement. */
  readonly ctes: readonly string[];
  /** What counts the rows of their files, and what it must find: fewer, and a file was passed over. */
  readonly count: { readonly sql: string; readonly rows: number } | null;
}

export interface BindParts {
  readonly engine: Pick<EmbeddedEngine, "overlay"> & { readonly rowFiles: Pick<EmbeddedEngine["rowFiles"], "duplicates" | "matching"> };
  readonly objects: Pick<Objects, "put">;
  readonly clock: { now(): number };
  readonly reader: LakeReader;
}

/** What must hold wherever the relations are read. */
export const SCAN_SETTINGS = {
  // A file that is gone is an error, and so is a column that a file should have.
  s3_ignore_file_doesnt_exist: 0,
  s3_throw_on_zero_files_match: 1,
  input_format_parquet_allow_missing_columns: 0,
  // The names of folders are no columns.
  use_hive_partitioning: 0,
} as const;

/** Binds what a statement needs; `scans` are those of the same query as it was lowered, which bound the files that are read. */
export type BindNeeds = (pinned: PinnedState, needs: readonly Need[], scans: readonly Scan[]) => Promise<BoundNeeds>;

export const openBinding = ({ engine, objects, clock, reader }: BindParts): BindNeeds => {
  const putWaiting = openWaitingObjects(objects, clock);
  const state = openStateRelations({ reader, overlay: engine.overlay, putWaiting });
  const events = { reader, seen: engine.rowFiles, state, putWaiting };

  const listTable = async (project: number, list: RowList, columns: readonly string[]): Promise<Relation> => {
    const types = pickTypes(listTypes(list), columns);
    if (list.rows === 0) return { sql: emptyRelation(types), counts: [] };
    const key = await putWaiting(project, await listFile(list));
    const from = readFiles(reader, [key], types).join();
    return { sql: `SELECT ${columnList(columns)} FROM ${from}`, counts: [{ from: [from], rows: list.rows }] };
  };

  const relation = (pinned: PinnedState, need: Need, scans: readonly Scan[]): Promise<Relation> | Relation => {
    switch (need.table) {
      case "events":
        return eventRelation(
          events,
          pinned,
          { columns: need.columns.map(eventColumn), earned: need.earned },
          commonRange(scans.filter(isOfEvents)),
        );
      case "table":
        return storedTable(reader, need.stored, need.columns);
      case "list":
        return listTable(pinned.project, need.list, need.columns);
      default:
        return state.read(pinned, need.table, need.columns, need.earned);
    }
  };

  return async (pinned, needs, scans) => {
    const relations: Relation[] = [];
    for (const need of needs) relations.push(await relation(pinned, need, scans));
    return {
      ctes: needs.map(({ name }, at) => `${quoteName(name)} AS (${relations[at]?.sql})`),
      count: countQuery(relations),
    };
  };
};

const isOfEvents = (scan: Scan): scan is EventScan => scan.kind === "events";

const EVENT_NAMES: ReadonlySet<string> = new Set(EVENT_COLUMNS.map(({ name }) => name));
const isEventColumn = (name: string): name is EventColumn => EVENT_NAMES.has(name);
const eventColumn = (name: string): EventColumn => {
  if (isEventColumn(name)) return name;
  throw new Defect(`a statement reads the column ${name}, which events do not have`);
};

/** The range that holds those of all scans: a row outside is outside each of them. */
const commonRange = (scans: readonly EventScan[]): EventRange => ({
  from: all(scans.map(({ from }) => from))?.reduce(least) ?? null,
  to: all(scans.map(({ to }) => to))?.reduce(greatest) ?? null,
  events: all(scans.map(({ events }) => events))?.flat() ?? null,
  distinctIds: all(scans.map(({ distinctIds }) => distinctIds))?.flat() ?? null,
});

/** The bounds, unless one of them is none. */
const all = <T>(bounds: readonly (T | null)[]): readonly T[] | null => {
  const known = bounds.filter((bound) => bound !== null);
  return known.length === bounds.length && known.length > 0 ? known : null;
};

const listTypes = ({ columns }: RowList): ColumnTypes =>
  new Map(columns.map(({ name, kind }) => [name, kind === "time" ? LIST_TIME : "Nullable(String)"]));
const LIST_TIME = "DateTime64(6, 'UTC')";

/** A table of its own is one file. */
const storedTable = (reader: LakeReader, { key, columns: stored }: StoredTable, columns: readonly string[]): Relation => {
  const types = new Map(
    columns.map((column) => {
      const found = stored[Number(column.slice(1)) - 1];
      if (found === undefined) throw new Defect(`a statement reads the column ${column}, which the table ${key} does not have`);
      return [column, storedType(found.type, found.nullable)] as const;
    }),
  );
  return { sql: `SELECT ${columnList(columns)} FROM ${readFiles(reader, [key], types).join()}`, counts: [] };
};
