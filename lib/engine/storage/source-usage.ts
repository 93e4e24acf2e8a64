import type { PersonMode } from "../../event/event.ts";
import type { CountUsage, RowFiles, RowSource } from "../../lake/row-files.ts";
import { skippedPlaces } from "../../lake/skipped-rows.ts";
import type { Countable, DayCounts } from "../../usage/day-counts.ts";
import { KEYED_EVENTS } from "../../usage/keyed-counts.ts";
import type { Databases } from "../duckdb/databases.ts";
import { type Database, literal } from "../duckdb/duckdb.ts";
import type { Native } from "../native.ts";
import { ROW_PLACE, readParquet, rowPlace } from "../query/scans/scan-sql.ts";
import type { FileLease, LocalFiles } from "./local-files.ts";

/** Rows of a source that are listed in one statement. */
const ROWS_AT_ONCE = 5_000;

const STATEMENT_MS = 600_000;

/**
 * The usage of the sources: their own counts, less those of the rows that are skipped, which are read and counted. What a file's facts
 * say is skipped is not in its counts. Of a gathered file these may be negative, or those of rows elsewhere: a day that is split is
 * counted with the first of its files. `own rows`: a file without skipped rows counts what it has, as a segment does.
 */
export const usageOfSources = async (
  database: Database,
  countUsage: CountUsage,
  sources: readonly RowSource[],
  held: FileLease,
  counting: "own rows" | "any" = "own rows",
): Promise<DayCounts> => {
  const { add, total } = adding();
  for (const { file, skip } of sources) {
    const isNothing = skip.length === file.rows || Object.keys(file.usage).length === 0;
    if (counting === "own rows" && file.skip === undefined && isNothing) continue;
    add(file.usage, 1);
    const known = new Set(skippedPlaces(file));
    const anew = skip.filter((row) => !known.has(row));
    await eachOfRows(database, held.path(file.key), anew, (rows) => add(countUsage(rows), -1));
  }
  return total();
};

const eachOfRows = async (
  database: Database,
  path: string,
  places: readonly number[],
  take: (rows: readonly Countable[]) => void,
): Promise<void> => {
  for (let start = 0; start < places.length; start += ROWS_AT_ONCE) {
    const list = places.slice(start, start + ROWS_AT_ONCE).map((row) => rowPlace(0, row));
    await eachBatch(database, path, `WHERE ${ROW_PLACE} IN (${list.join(", ")})`, take);
  }
};

/** The usage of all rows of a file but those that are skipped. */
const usageOfRows = async (database: Database, countUsage: CountUsage, path: string, skipped: readonly number[]): Promise<DayCounts> => {
  const { add, total } = adding();
  await eachBatch(database, path, "", (rows) => add(countUsage(rows), 1));
  await eachOfRows(database, path, skipped, (rows) => add(countUsage(rows), -1));
  return total();
};

const adding = () => {
  const days = new Map<string, Map<string, number>>();
  return {
    add: (counts: DayCounts, sign: 1 | -1): void => {
      for (const [day, types] of Object.entries(counts)) {
        const sums = days.get(day) ?? new Map<string, number>();
        days.set(day, sums);
        for (const [type, count] of Object.entries(types)) sums.set(type, (sums.get(type) ?? 0) + sign * count);
      }
    },
    total: (): DayCounts =>
      Object.fromEntries(
        [...days].map(([day, sums]) => [day, withoutZeros(sums)] as const).filter(([, sums]) => Object.keys(sums).length > 0),
      ),
  };
};

const withoutZeros = (sums: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...sums].filter(([, count]) => count !== 0));

/** All properties that counting looks at, and the events that it looks into. */
const LOOKED_AT = [...new Set(Object.values(KEYED_EVENTS).flat())];
const LOOKED_INTO = Object.keys(KEYED_EVENTS).map(literal).join(", ");

/** Hands out what counting needs of the rows: of properties, which may be long, only those that matter. */
const eachBatch = async (database: Database, path: string, where: string, take: (rows: readonly Countable[]) => void): Promise<void> => {
  const properties = LOOKED_AT.map(
    (name) => `CASE WHEN event IN (${LOOKED_INTO}) THEN json_extract(properties, ${literal(`$."${name}"`)})::VARCHAR END`,
  );
  const sql = `
    SELECT event, timestamp, historical, person_mode, ${properties.join(", ")}
    FROM ${readParquet([path])} ${where}`;
  await database.select(sql, [], STATEMENT_MS, (batch) => {
    take(batch.map(countable));
    return "more";
  });
};

const countable = ([name, time, historical, mode, ...values]: readonly Native[]): Countable => ({
  event: String(name),
  timestamp: typeof time === "object" && time !== null && "micros" in time ? time.micros : 0n,
  historical: historical === true,
  person_mode: personMode(mode ?? null),
  // Each value is JSON already.
  properties: `{${values.flatMap((value, at) => (typeof value === "string" ? [`${JSON.stringify(LOOKED_AT[at])}:${value}`] : [])).join(",")}}`,
});

export const personMode = (value: Native): PersonMode => (value === "propertyless" || value === "force_upgrade" ? value : "full");

/** The columns that counting reads. */
const COUNTED_COLUMNS = ["event", "timestamp", "historical", "person_mode", "properties"];

/** `RowFiles.recount` over Parquet: read by the engine, a batch at a time. */
export const recountFile =
  (parts: { readonly databases: Databases; readonly local: LocalFiles; readonly countUsage: CountUsage }): RowFiles["recount"] =>
  (project, file) =>
    parts.databases.alone(project, async (database) => {
      const held = await parts.local.hold(project, [{ ...file, columns: COUNTED_COLUMNS }]);
      try {
        return await usageOfRows(database, parts.countUsage, held.path(file.key), skippedPlaces(file));
      } finally {
        held.release();
      }
    });

/** `RowFiles.usageLeft` over Parquet. */
export const usageLeft =
  (parts: { readonly databases: Databases; readonly local: LocalFiles; readonly countUsage: CountUsage }): RowFiles["usageLeft"] =>
  async (project, source) => {
    const held = await parts.local.hold(project, [{ ...source.file, columns: COUNTED_COLUMNS }]);
    try {
      return await parts.databases.alone(project, (database) => usageOfSources(database, parts.countUsage, [source], held, "any"));
    } finally {
      held.release();
    }
  };
