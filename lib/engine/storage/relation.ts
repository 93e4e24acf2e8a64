import type { RareFacts } from "../../event/event.ts";
import { RARE, type RareSet } from "../../event/hot-properties.ts";
import type { FileFacts } from "../../lake/catalogue.ts";
import { parquetFile } from "../../lake/parquet.ts";
import type { RowSource } from "../../lake/row-files.ts";
import type { Database } from "../duckdb/duckdb.ts";
import { quoteName, readParquet } from "../duckdb/sql-text.ts";
import { alikePlaces, type EventRead, rarePlaces } from "../pinned-files.ts";
import { eventList, ROW_PLACE, rowPlace } from "../query/scans/scan-sql.ts";
import { SEEN_COLUMN } from "./flagged-file.ts";
import type { FileLease, LocalFiles } from "./local-files.ts";
import { allRows } from "./merge-pieces.ts";

/** Files of which all rows count, and files of which some rows are skipped. */
interface Split {
  readonly clean: readonly FileFacts[];
  readonly dirty: readonly RowSource[];
}

/** Sources by whether rows are skipped; those of which every row is skipped are left out. */
export const split = (sources: readonly RowSource[]): Split => ({
  clean: sources.filter(({ skip }) => skip.length === 0).map(({ file }) => file),
  dirty: sources.filter(({ file, skip }) => skip.length > 0 && skip.length < file.rows),
});

/** Up to this many skipped rows stand in the statement's text; more are put in a file beside the others. */
const MAX_LISTED = 2_000;

export interface Relation {
  /** One SELECT per kind of source, to be joined by UNION ALL; empty when no row can be left. */
  readonly selects: readonly string[];
  release(): void;
}

/**
 * The selects that read events from sources that are held on the disk as such; `condition` is on columns that are there, listed or
 * not. Files that differ in their columns are read apart, where a column in question is read at all.
 */
export const openRelation = async (
  local: LocalFiles,
  project: number,
  sources: readonly RowSource[],
  held: FileLease,
  read: EventRead,
  condition?: string | false,
): Promise<Relation> => {
  const kinds = Map.groupBy(sources, ({ file }) => eventList(read, alikePlaces(read, file)));
  using releases = new DisposableStack();
  const selects: string[] = [];
  for (const [list, some] of kinds) {
    const relation = await alike(local, project, some, held, list, condition);
    releases.defer(relation.release);
    selects.push(...relation.selects);
  }
  const kept = releases.move();
  return { selects, release: () => kept.dispose() };
};

/** The same of files that have the columns of one select list. */
const alike = async (
  local: LocalFiles,
  project: number,
  sources: readonly RowSource[],
  held: FileLease,
  list: string,
  condition: string | false | undefined,
): Promise<Relation> => {
  const { clean, dirty: some } = split(sources);
  const selects: string[] = [];
  const where = condition ? ` WHERE ${condition}` : "";
  const whereAlso = (also: string): string => (condition ? ` WHERE (${condition}) AND ${also}` : ` WHERE ${also}`);
  if (clean.length > 0) selects.push(`SELECT ${list} FROM ${readParquet(clean.map(({ key }) => held.path(key)))}${where}`);
  const isFlagged = ({ file }: RowSource): boolean => held.isFlagged(file.key);
  const flagged = some.filter(isFlagged);
  if (flagged.length > 0)
    selects.push(`SELECT ${list} FROM ${readParquet(flagged.map(({ file }) => held.path(file.key)))}${whereAlso(quoteName(SEEN_COLUMN))}`);
  const dirty = some.filter((source) => !isFlagged(source));
  if (dirty.length === 0) return { selects, release: () => undefined };
  const from = `SELECT ${list} FROM ${readParquet(dirty.map(({ file }) => held.path(file.key)))}`;
  const places = dirty.flatMap(({ skip }, at) => skip.map((row) => rowPlace(at, row)));
  if (places.length <= MAX_LISTED) {
    selects.push(`${from}${whereAlso(`${ROW_PLACE} NOT IN (${places.join(", ")})`)}`);
    return { selects, release: () => undefined };
  }
  const name = `skip-${skipFiles++}.parquet`;
  const values = BigInt64Array.from(places, BigInt);
  const file = await local.holdBytes(
    project,
    name,
    async () => (await parquetFile([{ name: "place", kind: "int64", values }], places.length, {})).content,
  );
  selects.push(`${from} ANTI JOIN (SELECT place FROM ${readParquet([file.path(name)])}) skipped ON skipped.place = ${ROW_PLACE}${where}`);
  return { selects, release: file.release };
};

/** Numbers the files of skipped rows within a process; they are local and live as long as the statement. */
let skipFiles = 0;

/** Which sets of rare columns what is merged needs. Files that do not say are asked, once: what is written of them says. */
export const mergedRareFacts = async (
  local: LocalFiles,
  database: Database,
  project: number,
  sources: readonly RowSource[],
  held: FileLease,
): Promise<RareFacts> => ({
  rare: await haveRareValues(local, database, project, sources, held, "rare"),
  exceptions: await haveRareValues(local, database, project, sources, held, "exceptions"),
});

const haveRareValues = async (
  local: LocalFiles,
  database: Database,
  project: number,
  sources: readonly RowSource[],
  held: FileLease,
  set: RareSet,
): Promise<boolean> => {
  if (sources.some(({ file }) => rarePlaces(file)[set] === "columns")) return true;
  const untold = sources.filter(({ file }) => rarePlaces(file)[set] === "json");
  const columns = RARE[set].map(({ column }) => column);
  return hasRow(local, database, project, untold, held, columns, columns.map((column) => `${quoteName(column)} IS NOT NULL`).join(" OR "));
};

/**
 * Whether what is merged may hold whole numbers beyond 64 bits. Files that do not say are asked for as many digits, once: some may stand in a
 * text.
 */
export const mergedBigIntegers = async (
  local: LocalFiles,
  database: Database,
  project: number,
  sources: readonly RowSource[],
  held: FileLease,
): Promise<boolean> => {
  if (sources.some(({ file }) => file.bigIntegers === true)) return true;
  const untold = sources.filter(({ file }) => file.bigIntegers === undefined);
  return hasRow(local, database, project, untold, held, ["properties"], "regexp_matches(properties, '[0-9]{19}')");
};

/** Whether a condition on some columns holds of a row that is left of sources. */
const hasRow = async (
  local: LocalFiles,
  database: Database,
  project: number,
  sources: readonly RowSource[],
  held: FileLease,
  columns: readonly string[],
  condition: string,
): Promise<boolean> => {
  if (sources.length === 0) return false;
  const relation = await openRelation(local, project, sources, held, { columns });
  try {
    if (relation.selects.length === 0) return false;
    const sql = `SELECT count(*) FROM (SELECT 1 FROM (${relation.selects.join(" UNION ALL ")}) WHERE ${condition} LIMIT 1)`;
    const [found] = await allRows(database, sql);
    return Number(found?.[0] ?? 0) > 0;
  } finally {
    relation.release();
  }
};
