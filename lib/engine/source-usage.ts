import type { DayCounts } from "../lake/catalogue.ts";
import { type EventRow, GROUP_SLOTS, HOT, type PersonMode } from "../lake/event.ts";
import type { RowSource } from "../lake/row-files.ts";
import type { CountUsage } from "../lake/segment.ts";
import type { Database } from "./duckdb.ts";
import type { Held } from "./local-files.ts";
import type { Native, NativeRow } from "./native.ts";
import { columnTypes, ROW_PLACE, readParquet, rowPlace, selectList } from "./scan-sql.ts";

/** Rows of a source that are listed in one statement. */
const ROWS_AT_ONCE = 5_000;

const STATEMENT_MS = 600_000;

const COLUMNS = [...columnTypes("events").keys()];

/** What the sources add to usage: their own counts, less those of the rows that are skipped, which are read and counted. */
export const usageOfSources = async (
  database: Database,
  countUsage: CountUsage,
  sources: readonly RowSource[],
  held: Held,
): Promise<DayCounts> => {
  const total = new Map<string, Map<string, number>>();
  const add = (counts: DayCounts, sign: 1 | -1): void => {
    for (const [day, types] of Object.entries(counts)) {
      const sums = total.get(day) ?? new Map<string, number>();
      total.set(day, sums);
      for (const [type, count] of Object.entries(types)) sums.set(type, (sums.get(type) ?? 0) + sign * count);
    }
  };
  for (const { file, skip } of sources) {
    if (skip.length === file.rows || Object.keys(file.usage).length === 0) continue;
    add(file.usage, 1);
    for (let start = 0; start < skip.length; start += ROWS_AT_ONCE) {
      add(countUsage(await rowsAt(database, held.path(file.key), skip.slice(start, start + ROWS_AT_ONCE))), -1);
    }
  }
  return Object.fromEntries(
    [...total].map(([day, sums]) => [day, withoutZeros(sums)] as const).filter(([, sums]) => Object.keys(sums).length > 0),
  );
};

const withoutZeros = (sums: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...sums].filter(([, count]) => count !== 0));

const rowsAt = async (database: Database, path: string, positions: readonly number[]): Promise<EventRow[]> => {
  const rows: EventRow[] = [];
  const list = positions.map((row) => rowPlace(0, row)).join(", ");
  const sql = `SELECT ${selectList(COLUMNS, columnTypes("events"))} FROM ${readParquet([path])} WHERE ${ROW_PLACE} IN (${list})`;
  await database.select(sql, [], STATEMENT_MS, (batch) => {
    for (const row of batch) rows.push(eventRow(row));
    return "more";
  });
  return rows;
};

const AT: ReadonlyMap<string, number> = new Map(COLUMNS.map((column, at) => [column, at]));

/** A row of all columns, in their order, as the lake's row. */
const eventRow = (row: NativeRow): EventRow => {
  const value = (column: string): Native => row[AT.get(column) ?? -1] ?? null;
  const optional = (column: string): string | null => {
    const found = value(column);
    return found === null ? null : String(found);
  };
  const micros = (column: string): bigint => {
    const found = value(column);
    return typeof found === "object" && found !== null && "micros" in found ? found.micros : 0n;
  };
  return {
    uuid: String(value("uuid")),
    event: String(value("event")),
    distinct_id: String(value("distinct_id")),
    person_id: String(value("person_id")),
    timestamp: micros("timestamp"),
    created_at: micros("created_at"),
    identity: BigInt(String(value("identity"))),
    person_mode: personMode(value("person_mode")),
    historical: value("historical") === true,
    session_id: optional("session_id"),
    window_id: optional("window_id"),
    groups: Array.from({ length: GROUP_SLOTS }, (_, slot) => optional(`group_${slot}`)),
    elements_chain: String(value("elements_chain")),
    properties: String(value("properties")),
    hot: HOT.map(({ column }) => {
      const found = value(column);
      return typeof found === "number" || typeof found === "string" ? found : null;
    }),
    request: String(value("request")),
    index: Number(value("index")),
  };
};

const personMode = (value: Native): PersonMode => (value === "propertyless" || value === "force_upgrade" ? value : "full");
