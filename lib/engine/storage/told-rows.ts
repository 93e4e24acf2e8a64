import type { FileFacts } from "../../lake/catalogue.ts";
import type { RowFiles, RowMatch, TellingRow } from "../../lake/row-files.ts";
import { placesWithout } from "../../lake/skipped-rows.ts";
import type { Databases } from "../duckdb/databases.ts";
import type { Native } from "../native.ts";
import { readParquet } from "../query/scans/scan-sql.ts";
import type { LocalFiles } from "./local-files.ts";
import { STATEMENT_MS } from "./merge-pieces.ts";
import { IS_GROUP_EVENT, matchColumns, matchCondition, mayHaveGroupEvents, mayMatch } from "./row-match.ts";
import { atPlaces } from "./row-places.ts";
import { personMode } from "./source-usage.ts";

interface Parts {
  readonly local: LocalFiles;
  readonly databases: Databases;
}

/** `RowFiles.matching` and `RowFiles.tell` over Parquet: the engine finds the rows, of columns that are sorted or short. */
export const toldRows = ({ local, databases }: Parts): Pick<RowFiles, "matching" | "tell"> => {
  const matching: RowFiles["matching"] = async (project, files, match) => {
    const found = new Map<string, number[]>();
    const condition = matchCondition(match);
    const some = files.filter((file) => mayMatch(file, match));
    if (condition === null || some.length === 0) return found;
    const held = await local.hold(
      project,
      some.map((file) => ({ ...file, columns: matchColumns(match) })),
    );
    try {
      const from = readParquet(some.map(({ key }) => held.path(key)));
      const sql = `SELECT file_index::BIGINT, file_row_number::BIGINT FROM ${from} WHERE ${condition}`;
      await databases.use(project, (database) =>
        database.select(sql, [], STATEMENT_MS, (rows) => {
          for (const [file, place] of rows) {
            const key = some[Number(file)]?.key ?? "";
            const places = found.get(key);
            if (places) places.push(Number(place));
            else found.set(key, [Number(place)]);
          }
          return "more";
        }),
      );
    } finally {
      held.release();
    }
    for (const places of found.values()) places.sort((a, b) => a - b);
    return found;
  };

  /** Hands out the rows of files at some of their places, all of which match. */
  const tellOf = async (
    project: number,
    some: readonly { readonly file: FileFacts; readonly places: readonly number[] }[],
    match: RowMatch,
    properties: string | null,
    take: (rows: readonly TellingRow[]) => void,
  ): Promise<void> => {
    if (some.length === 0) return;
    const columns = [...TOLD, ...matchColumns(match), ...(properties === null ? [] : ["properties"])];
    const held = await local.hold(
      project,
      some.map(({ file }) => ({ ...file, columns })),
    );
    try {
      const list = [...TOLD.map((column) => `"${column}"`), properties ?? "'{}'"].join(", ");
      const from = readParquet(some.map(({ file }) => held.path(file.key)));
      for (const named of atPlaces(some.map(({ places }) => places))) {
        // What matches says again where to look: the files are sorted by ids, and places are numbers that nothing is sorted by.
        const sql = `SELECT ${list} FROM ${from} WHERE ${matchCondition(match)} AND ${named}`;
        await databases.use(project, (database) =>
          database.select(sql, [], STATEMENT_MS, (rows) => {
            take(rows.map(tellingRow));
            return "more";
          }),
        );
      }
    } finally {
      held.release();
    }
  };

  return {
    matching,
    async tell(project, sources, match, { properties }, take) {
      const files = sources.filter(({ file, skip }) => skip.length < file.rows).map(({ file }) => file);
      // By short columns first: the wide ones of a file in which nothing is left to be told of are not read.
      const found = await matching(project, files, match);
      const some = sources
        .map(({ file, skip }) => ({ file, places: placesWithout(found.get(file.key) ?? [], skip) }))
        .filter(({ places }) => places.length > 0);
      const [wide, narrow] = [some.filter(({ file }) => isWide(file, properties)), some.filter(({ file }) => !isWide(file, properties))];
      await tellOf(project, wide, match, properties ? "properties" : GROUP_PROPERTIES, take);
      await tellOf(project, narrow, match, null, take);
    },
  };
};

const isWide = (file: FileFacts, properties: boolean): boolean => properties || mayHaveGroupEvents(file);

const TOLD = ["event", "distinct_id", "timestamp", "index", "uuid", "person_mode"] as const;

const GROUP_PROPERTIES = `CASE WHEN ${IS_GROUP_EVENT} THEN properties ELSE '{}' END`;

const tellingRow = ([event, id, time, index, uuid, mode, properties]: readonly Native[]): TellingRow => ({
  event: String(event),
  distinct_id: String(id),
  timestamp: typeof time === "object" && time !== null && "micros" in time ? time.micros : 0n,
  index: Number(index),
  uuid: String(uuid),
  person_mode: personMode(mode ?? null),
  properties: String(properties),
});
