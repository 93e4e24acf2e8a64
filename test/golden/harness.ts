import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../lib/engine/duckdb/duckdb.ts";
import { literal } from "../../lib/engine/duckdb/sql-text.ts";
import type { Cell } from "../../lib/engine/engine.ts";
import { rowWriter } from "../../lib/engine/query/cells.ts";
import { authorError } from "../../lib/engine/query/process/engine-errors.ts";
import { withRelations } from "../../lib/engine/query/scans/scan-sql.ts";
import type { EventRow } from "../../lib/event/event.ts";
import { lower } from "../../lib/hogql/lower.ts";
import type { EventScan, LoweredQuery, Scan } from "../../lib/hogql/lowered-query.ts";
import type { LowerOptions } from "../../lib/hogql/options.ts";
import { parse } from "../../lib/hogql/parse.ts";
import type { ListColumn, RowList } from "../../lib/hogql/row-list.ts";
import { writeSegment } from "../../lib/lake/row-files.ts";
import { countRows } from "../support/samples/event-rows.ts";

/** The state tables as DuckDB text. */
export interface StateTables {
  readonly persons: string;
  readonly person_distinct_ids: string;
  readonly groups: string;
}

/** A small project that queries of the language can be run against, through the lowering and the engine's own binding. */
export interface Golden {
  /** The rows of a query. */
  rows(text: string, options?: Partial<LowerOptions>): Promise<readonly (readonly Cell[])[]>;
  /** The one value of a query. */
  value(text: string, options?: Partial<LowerOptions>): Promise<Cell | undefined>;
  lowered(text: string, options?: Partial<LowerOptions>): Promise<LoweredQuery>;
  run(lowered: LoweredQuery): Promise<readonly (readonly Cell[])[]>;
  /** Writes the rows of a query as Parquet, and says where. */
  write(lowered: LoweredQuery): Promise<string>;
}

/** One that is open until it is closed. */
export interface OpenGolden extends Golden {
  close(): Promise<void>;
}

/** Noon of 15 January 2026, UTC. */
export const NOW = Date.UTC(2026, 0, 15, 12);

const OPTIONS: LowerOptions = { project: 1, timezone: "UTC", now: NOW, variables: {}, page: null };

export const openGolden = async (events: readonly EventRow[], state: StateTables): Promise<OpenGolden> => {
  const root = await mkdtemp(join(tmpdir(), "golden-"));
  await mkdir(join(root, "files"));
  const file = join(root, "files", "events.parquet");
  await writeFile(file, (await writeSegment(events, countRows)).content);
  const database = await openDatabase({
    readable: `${join(root, "files")}/`,
    temporary: join(root, "spill"),
    memoryMb: 400,
    threads: 2,
    spillBytes: 100_000_000,
  });
  const lowered = async (text: string, options: Partial<LowerOptions> = {}): Promise<LoweredQuery> =>
    lower(await parse(text), { ...OPTIONS, ...options }).lowered;
  const run = (query: LoweredQuery) => rowsOf(database, query, file, state);
  const rows = async (text: string, options?: Partial<LowerOptions>) => run(await lowered(text, options));
  return {
    lowered,
    run,
    rows,
    write: (query) => writeRows(database, query, file, state),
    value: async (text, options) => (await rows(text, options))[0]?.[0],
    close: async () => {
      database.close();
      await rm(root, { recursive: true, force: true });
    },
  };
};

/** Beside the events: the instance may write where it may read. */
const writeRows = async (database: Database, query: LoweredQuery, file: string, state: StateTables): Promise<string> => {
  const path = `${file}.table-${performance.now()}`;
  const relations = query.scans.map((scan) => ({ name: scan.name, body: bodyOf(scan, file, state) }));
  await database.select(withRelations(query, relations), query.parameters, 10_000, () => "more", { into: path });
  return path;
};

const rowsOf = async (database: Database, query: LoweredQuery, file: string, state: StateTables): Promise<readonly (readonly Cell[])[]> => {
  const relations = query.scans.map((scan) => ({ name: scan.name, body: bodyOf(scan, file, state) }));
  const toCells = rowWriter(query.columns, query.timezone);
  const found: (readonly Cell[])[] = [];
  await database
    .select(withRelations(query, relations), query.parameters, 10_000, (batch) => {
      found.push(...batch.map(toCells));
      return "more";
    })
    .catch((thrown: unknown) => {
      throw authorError(thrown);
    });
  return found;
};

/** Exactly the columns and rows that the scan asks for: a column too few is an error, a bound too narrow a wrong answer. */
const bodyOf = (scan: Scan, file: string, state: StateTables): string => {
  if (scan.kind === "table") return `SELECT * FROM read_parquet(${literal(scan.key)})`;
  if (scan.kind === "list") return listBody(scan.list);
  if (scan.kind !== "events") return `SELECT ${scan.columns.map((column) => `"${column}"`).join(", ")} FROM (${state[scan.kind]}) s`;
  const columns = scan.columns.map((column) => DERIVED[column] ?? `e."${column}"`);
  const list = columns.length === 0 ? "1 AS one" : columns.join(", ");
  return `SELECT ${list} FROM read_parquet(${literal(file)}) e LEFT JOIN (${state.person_distinct_ids}) m ON m.distinct_id = e.distinct_id${bounds(scan)}`;
};

const listBody = ({ rows, columns }: RowList): string => {
  const cellsOf = (row: number): string => columns.map((column) => cellText(column, row)).join(", ");
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = Array.from({ length: rows }, (_, row) => `(${cellsOf(row)})`);
  return `SELECT * FROM (VALUES ${values.length === 0 ? `(${cellsOf(0)})` : values.join(", ")}) t(${names})${rows === 0 ? " WHERE false" : ""}`;
};

const cellText = (column: ListColumn, row: number): string => {
  if (column.kind === "time") return `make_timestamptz(${column.values[row] ?? 0n}::BIGINT)`;
  const text = column.values[row] ?? null;
  return text === null ? "NULL::VARCHAR" : literal(text);
};

/** What a scan may ask for that is no column of this file. */
const DERIVED: Readonly<Record<string, string>> = {
  person_id: "coalesce(m.person_id, e.person_id) AS person_id",
  quarter_hour:
    "CASE WHEN year(e.timestamp) < 1973 THEN e.timestamp ELSE make_timestamptz(epoch_us(e.timestamp) // 900000000 * 900000000) END AS quarter_hour",
};

const bounds = (scan: EventScan): string => {
  const conditions = [
    ...(scan.from === null ? [] : [`epoch_us(e.timestamp) >= ${scan.from}`]),
    ...(scan.to === null ? [] : [`epoch_us(e.timestamp) < ${scan.to}`]),
    ...(scan.events === null ? [] : [`list_contains([${scan.events.map(literal).join(", ")}]::VARCHAR[], e.event)`]),
    ...(scan.distinctIds === null ? [] : [`list_contains([${scan.distinctIds.map(literal).join(", ")}]::VARCHAR[], e.distinct_id)`]),
  ];
  return conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
};
