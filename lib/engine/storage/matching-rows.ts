import { hash } from "node:crypto";
import { cache } from "../../core/cache.ts";
import type { FileFacts } from "../../lake/catalogue.ts";
import type { MatchingCount, ProfileRow, RowFiles, RowMatch, RowSource } from "../../lake/row-files.ts";
import { placesWithout } from "../../lake/skipped-rows.ts";
import type { Databases } from "../duckdb/databases.ts";
import { quoteName, readParquet } from "../duckdb/sql-text.ts";
import type { Native, NativeRow } from "../native.ts";
import { utcDay } from "../query/scans/scan-sql.ts";
import type { LocalFiles } from "./local-files.ts";
import { STATEMENT_MS } from "./merge-pieces.ts";
import { openRelation } from "./relation.ts";
import { IS_GROUP_EVENT, matchColumns, matchCondition, mayHaveGroupEvents, mayMatch } from "./row-match.ts";
import { personMode } from "./source-usage.ts";

/** Places that are remembered of files, which never change: a removal asks for the same ones once for each of its steps. */
const MOST_REMEMBERED = 1_000_000;
/** What an entry takes beside its places, in places. */
const ENTRY_WEIGHT = 20;

interface Parts {
  readonly local: LocalFiles;
  readonly databases: Databases;
}

/** `RowFiles.matching`, `RowFiles.readMatching` and `RowFiles.countMatching` over Parquet: the engine finds the rows, by columns that are sorted or short. */
export const openMatchingRows = (parts: Parts): Pick<RowFiles, "matching" | "readMatching" | "countMatching"> => {
  const remembered = cache<string, readonly number[]>({ capacity: MOST_REMEMBERED, weigh: ({ length }) => length + ENTRY_WEIGHT });

  const matching: RowFiles["matching"] = async (project, files, match) => {
    const condition = matchCondition(match);
    if (condition === null) return new Map();
    const possible = files.filter((file) => mayMatch(file, match));
    const digest = hash("sha256", condition, "hex");
    const places = new Map(possible.map(({ key }) => [key, remembered.get(`${digest} ${key}`)] as const));
    const unknown = possible.filter(({ key }) => places.get(key) === undefined);
    const found = await findPlaces(parts, project, unknown, match, condition);
    for (const { key } of unknown) {
      const own = found.get(key) ?? [];
      remembered.set(`${digest} ${key}`, own);
      places.set(key, own);
    }
    return new Map([...places].flatMap(([key, own = []]) => (own.length > 0 ? [[key, own] as const] : [])));
  };

  /** The sources with rows that match and are not skipped, found by short columns, so that the wide ones of others are not read. */
  const withMatches = async (project: number, sources: readonly RowSource[], match: RowMatch): Promise<readonly RowSource[]> => {
    const files = sources.filter(({ file, skip }) => skip.length < file.rows).map(({ file }) => file);
    const found = await matching(project, files, match);
    return sources.flatMap(({ file, skip }): readonly RowSource[] => {
      const places = found.get(file.key) ?? [];
      const { length } = placesWithout(places, skip);
      if (length === 0) return [];
      // Rows that are skipped and do not match are left out already.
      return [{ file, skip: length === places.length ? [] : skip }];
    });
  };

  return {
    matching,
    async readMatching(project, sources, match, events, take) {
      const some = events === "all" ? sources : sources.filter(({ file }) => mayHaveGroupEvents(file));
      const where = events === "all" ? "true" : IS_GROUP_EVENT;
      const list = PROFILE_COLUMNS.map(quoteName).join(", ");
      const selection: Selection = { columns: PROFILE_COLUMNS, where, query: (rows) => `SELECT ${list} FROM ${rows}` };
      await select(parts, project, await withMatches(project, some, match), match, selection, (rows) => take(rows.map(profileRow)));
    },
    async countMatching(project, sources, match) {
      const counts: MatchingCount[] = [];
      const query = (rows: string): string =>
        `SELECT ${utcDay("timestamp")}, distinct_id, person_mode, count(*) FROM ${rows} GROUP BY 1, 2, 3`;
      const selection: Selection = { columns: ["timestamp", "distinct_id", "person_mode"], where: "true", query };
      await select(parts, project, await withMatches(project, sources, match), match, selection, (rows) => {
        for (const [day, id, mode, count] of rows)
          counts.push({ day: Number(day), distinct_id: String(id), person_mode: personMode(mode ?? null), rows: Number(count) });
      });
      return counts;
    },
  };
};

/** The places of the matching rows of each file, ascending. */
const findPlaces = async (
  { local, databases }: Parts,
  project: number,
  files: readonly FileFacts[],
  match: RowMatch,
  condition: string,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const found = new Map<string, number[]>();
  if (files.length === 0) return found;
  const held = await local.hold(
    project,
    files.map((file) => ({ ...file, columns: matchColumns(match) })),
  );
  try {
    const from = readParquet(files.map(({ key }) => held.path(key)));
    const sql = `SELECT file_index::BIGINT, file_row_number::BIGINT FROM ${from} WHERE ${condition}`;
    await databases.use(project, (database) =>
      database.select(sql, [], STATEMENT_MS, (rows) => {
        for (const [file, place] of rows) {
          const key = files[Number(file)]?.key ?? "";
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

/** What is selected of matching rows: from which columns, on what further condition, and by which query over the rows. */
interface Selection {
  readonly columns: readonly string[];
  readonly where: string;
  readonly query: (rows: string) => string;
}

/** Runs a selection over the matching rows of sources. */
const select = async (
  { local, databases }: Parts,
  project: number,
  sources: readonly RowSource[],
  match: RowMatch,
  { columns, where, query }: Selection,
  take: (rows: readonly NativeRow[]) => void,
): Promise<void> => {
  if (sources.length === 0) return;
  const held = await local.hold(
    project,
    sources.map((source) => ({ ...source.file, source, columns: [...columns, ...matchColumns(match)] })),
  );
  try {
    const relation = await openRelation(local, project, sources, held, { columns }, `${matchCondition(match)} AND ${where}`);
    try {
      await databases.use(project, (database) =>
        database.select(query(`(${relation.selects.join(" UNION ALL ")})`), [], STATEMENT_MS, (rows) => {
          take(rows);
          return "more";
        }),
      );
    } finally {
      relation.release();
    }
  } finally {
    held.release();
  }
};

const PROFILE_COLUMNS = ["event", "distinct_id", "timestamp", "index", "uuid", "person_mode", "properties"] as const;

const profileRow = ([event, id, time, index, uuid, mode, properties]: readonly Native[]): ProfileRow => ({
  event: String(event),
  distinct_id: String(id),
  timestamp: typeof time === "object" && time !== null && "micros" in time ? time.micros : 0n,
  index: Number(index),
  uuid: String(uuid),
  person_mode: personMode(mode ?? null),
  properties: String(properties),
});
