import type { PersonMode } from "../../event/event.ts";
import { type FileFacts, sortedBytes } from "../../lake/catalogue.ts";
import type { CountUsage, RowFiles, RowSource } from "../../lake/row-files.ts";
import { placesWithout, skippedPlaces } from "../../lake/skipped-rows.ts";
import type { Countable, DayCounts } from "../../usage/day-counts.ts";
import { KEYED_EVENTS } from "../../usage/keyed-counts.ts";
import type { Databases } from "../duckdb/databases.ts";
import type { Database } from "../duckdb/duckdb.ts";
import { literal, readParquet } from "../duckdb/sql-text.ts";
import type { Native } from "../native.ts";
import { utcDay } from "../query/scans/scan-sql.ts";
import type { FileLease, LocalFiles } from "./local-files.ts";
import { matchColumns, matchCondition } from "./row-match.ts";
import { atPlaces } from "./row-places.ts";

const STATEMENT_MS = 600_000;

/** Where rows are read. */
type Reading = Pick<Database, "select">;

/**
 * The usage of the sources: their own counts, less those of the rows that are skipped, which are read and counted. What a file's facts
 * say is skipped is not in its counts. A release before counted a day that is split with the first of its files: what such files count may
 * be of rows elsewhere, or less than nothing.
 */
export const usageOfSources = async (
  database: Reading,
  countUsage: CountUsage,
  sources: readonly RowSource[],
  held: FileLease,
): Promise<DayCounts> => {
  const counting = sources.filter(
    ({ file, skip }) => file.skip !== undefined || (skip.length < file.rows && Object.keys(file.usage).length > 0),
  );
  return sumUsageOf(await usageOfEach(database, countUsage, counting, held, null));
};

const sumUsageOf = (counts: readonly DayCounts[]): DayCounts => {
  const { add, total } = adding();
  for (const each of counts) add(each, 1);
  return total();
};

/** What is left of some counts once others are taken from them; may be negative. What comes to nothing is left out. */
export const usageWithout = (usage: DayCounts, others: readonly DayCounts[]): DayCounts => {
  const { add, total } = adding();
  add(usage, 1);
  for (const each of others) add(each, -1);
  return total();
};

/** The usage of each source, likewise; `condition` holds for all rows that are skipped anew. */
const usageOfEach = async (
  database: Reading,
  countUsage: CountUsage,
  sources: readonly RowSource[],
  held: FileLease,
  condition: string | null,
): Promise<readonly DayCounts[]> => {
  const sums = sources.map(({ file }) => {
    const sum = adding();
    sum.add(file.usage, 1);
    return sum;
  });
  const anew = sources.map(({ file, skip }, at) => ({ at, file, places: placesWithout(skip, skippedPlaces(file)) }));
  // What counting looks into of properties, which are most of a file's bytes, is read of files alone that may have such events.
  for (const some of Map.groupBy(anew, ({ file }) => mayHaveKeyedEvents(file)).values()) {
    const paths = some.map(({ file }) => held.path(file.key));
    const isKeyed = some.some(({ file }) => mayHaveKeyedEvents(file));
    for (const named of atPlaces(some.map(({ places }) => places))) {
      const where = `WHERE ${condition === null ? "" : `${condition} AND `}${named}`;
      await eachBatch(database, paths, where, isKeyed, (rows) => {
        for (const { file, row, times } of rows) sums[some[file]?.at ?? -1]?.add(countUsage([row]), -times);
      });
    }
  }
  return sums.map(({ total }) => total());
};

/** The usage of all rows of a file on the disk, of which nothing is skipped. */
export const usageOfFile = async (
  database: Reading,
  countUsage: CountUsage,
  facts: Pick<FileFacts, "events">,
  path: string,
): Promise<DayCounts> => {
  const all = adding();
  await eachBatch(database, [path], "", mayHaveKeyedEvents(facts), (rows) => {
    for (const { row, times } of rows) all.add(countUsage([row]), times);
  });
  return all.total();
};

/** The usage of all rows of a file but those that are skipped. */
const usageOfRows = async (database: Reading, countUsage: CountUsage, file: FileFacts, held: FileLease): Promise<DayCounts> => {
  const { skip: _, ...whole } = file;
  // Its facts are not believed, what they say of its events included.
  const usage = await usageOfFile(database, countUsage, { events: null }, held.path(file.key));
  const skipped: RowSource = { file: { ...whole, usage }, skip: skippedPlaces(file) };
  return sumUsageOf(await usageOfEach(database, countUsage, [skipped], held, null));
};

const adding = () => {
  const days = new Map<string, Map<string, number>>();
  return {
    add: (counts: DayCounts, times: number): void => {
      for (const [day, types] of Object.entries(counts)) {
        const sums = days.get(day) ?? new Map<string, number>();
        days.set(day, sums);
        for (const [type, count] of Object.entries(types)) sums.set(type, (sums.get(type) ?? 0) + times * count);
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

/** Whether a file can have events whose properties counting looks into, by what its facts say. */
const mayHaveKeyedEvents = ({ events }: Pick<FileFacts, "events">): boolean =>
  events === null || events.some((name) => Object.hasOwn(KEYED_EVENTS, name));

/** Rows of one file that count alike, and how many there are. */
interface Alike {
  readonly file: number;
  readonly row: Countable;
  readonly times: number;
}

/** Hands out what counting needs of the rows, those that count alike once: of properties, which may be long, only those that matter. */
const eachBatch = async (
  database: Reading,
  files: readonly string[],
  where: string,
  properties: boolean,
  take: (rows: readonly Alike[]) => void,
): Promise<void> => {
  // In one reading of the JSON: each takes several times the text's size in memory until all rows of a vector are done.
  const paths = LOOKED_AT.map((name) => literal(`$."${name}"`)).join(", ");
  const values = properties ? `, CASE WHEN event IN (${LOOKED_INTO}) THEN json_extract(properties, [${paths}])::VARCHAR[] END` : "";
  const sql = `
    SELECT file_index::BIGINT, count(*), min(timestamp), event, historical, person_mode${values}
    FROM ${readParquet(files)} ${where} GROUP BY file_index, ${utcDay("timestamp")}, event, historical, person_mode${properties ? ", 7" : ""}`;
  await database.select(sql, [], STATEMENT_MS, (batch) => {
    take(batch.map(alike));
    return "more";
  });
};

const alike = ([file, times, time, ...columns]: readonly Native[]): Alike => ({
  file: Number(file),
  times: Number(times),
  row: countable(time, columns),
});

const countable = (time: Native | undefined, [name, historical, mode, values]: readonly Native[]): Countable => ({
  event: String(name),
  timestamp: typeof time === "object" && time !== null && "micros" in time ? time.micros : 0n,
  historical: historical === true,
  person_mode: personMode(mode ?? null),
  properties: `{${looked(values ?? null).join(",")}}`,
});

/** What counting looks at, as fields of an object: each value is JSON already. */
const looked = (values: Native): readonly string[] => {
  if (typeof values !== "object" || values === null || !("items" in values)) return [];
  return values.items.flatMap((value, at) => (typeof value === "string" ? [`${JSON.stringify(LOOKED_AT[at])}:${value}`] : []));
};

export const personMode = (value: Native): PersonMode => (value === "propertyless" || value === "force_upgrade" ? value : "full");

/** The columns that counting reads. */
const COUNTED_COLUMNS = ["event", "timestamp", "historical", "person_mode"];

/** `RowFiles.recount` over Parquet: read by the engine, a batch at a time. */
export const recountFile =
  (parts: { readonly databases: Databases; readonly local: LocalFiles; readonly countUsage: CountUsage }): RowFiles["recount"] =>
  (project, file) =>
    parts.databases.alone(project, sortedBytes(file), async (database) => {
      const held = await parts.local.hold(project, [{ ...file, columns: [...COUNTED_COLUMNS, "properties"] }]);
      try {
        return await usageOfRows(database, parts.countUsage, file, held);
      } finally {
        held.release();
      }
    });

/** `RowFiles.usageLeft` over Parquet. */
export const usageLeft =
  (parts: { readonly databases: Databases; readonly local: LocalFiles; readonly countUsage: CountUsage }): RowFiles["usageLeft"] =>
  async (project, sources, match) => {
    if (sources.length === 0) return [];
    const columns = [...COUNTED_COLUMNS, ...matchColumns(match)];
    const held = await parts.local.hold(
      project,
      sources.map(({ file }) => ({ ...file, columns: mayHaveKeyedEvents(file) ? [...columns, "properties"] : columns })),
    );
    try {
      const condition = matchCondition(match);
      return await parts.databases.use(project, (database) => usageOfEach(database, parts.countUsage, sources, held, condition));
    } finally {
      held.release();
    }
  };
