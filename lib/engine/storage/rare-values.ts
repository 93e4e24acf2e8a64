import { RARE_COLUMNS } from "../../event/event.ts";
import type { RowSource } from "../../lake/row-files.ts";
import type { Database } from "../duckdb/duckdb.ts";
import { quoted } from "../query/scans/scan-sql.ts";
import type { FileLease, LocalFiles } from "./local-files.ts";
import { allRows } from "./merge-pieces.ts";
import { rarePlace, relationOf } from "./relation.ts";

const COLUMNS = [...RARE_COLUMNS.keys()];

/** Whether what is merged needs the rare columns. Files that do not say are asked, once: what is written of them says. */
export const haveRareValues = async (
  local: LocalFiles,
  database: Database,
  project: number,
  sources: readonly RowSource[],
  held: FileLease,
): Promise<boolean> => {
  if (sources.some(({ file }) => rarePlace(file) === "columns")) return true;
  const untold = sources.filter(({ file }) => rarePlace(file) === "json");
  const relation = await relationOf(local, project, untold, held, COLUMNS);
  try {
    if (relation.selects.length === 0) return false;
    const any = COLUMNS.map((column) => `${quoted(column)} IS NOT NULL`).join(" OR ");
    const sql = `SELECT count(*) FROM (SELECT 1 FROM (${relation.selects.join(" UNION ALL ")}) WHERE ${any} LIMIT 1)`;
    const [found] = await allRows(database, sql);
    return Number(found?.[0] ?? 0) > 0;
  } finally {
    relation.release();
  }
};
