import type { FileFacts } from "../../lake/catalogue/catalogue.ts";
import { parquetFile } from "../../lake/parquet/parquet.ts";
import type { RowSource } from "../../lake/parquet/row-files.ts";
import { ROW_PLACE, readParquet, rowPlace } from "../query/scans/scan-sql.ts";
import type { Held, LocalFiles } from "./local-files.ts";

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

/** The selects that read a list of columns from sources that are on the disk; `condition` is on columns that are there, listed or not. */
export const relationOf = async (
  local: LocalFiles,
  project: number,
  sources: readonly RowSource[],
  held: Held,
  list: string,
  condition?: string | false,
): Promise<Relation> => {
  const { clean, dirty } = split(sources);
  const selects: string[] = [];
  const where = condition ? ` WHERE ${condition}` : "";
  if (clean.length > 0) selects.push(`SELECT ${list} FROM ${readParquet(clean.map(({ key }) => held.path(key)))}${where}`);
  if (dirty.length === 0) return { selects, release: () => undefined };
  const from = `SELECT ${list} FROM ${readParquet(dirty.map(({ file }) => held.path(file.key)))}`;
  const places = dirty.flatMap(({ skip }, at) => skip.map((row) => rowPlace(at, row)));
  if (places.length <= MAX_LISTED) {
    selects.push(`${from}${condition ? `${where} AND` : " WHERE"} ${ROW_PLACE} NOT IN (${places.join(", ")})`);
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
