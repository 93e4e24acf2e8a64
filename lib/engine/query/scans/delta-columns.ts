import { ENTRY_KINDS, type StateFile } from "../../../lake/catalogue.ts";
import { parquetFile } from "../../../lake/parquet.ts";
import type { EntryReader, LogReader, StoredEntry } from "../../../lake/state-overlay.ts";
import type { ReadOnlyDatabase } from "../../duckdb/databases.ts";
import { readParquet } from "../../duckdb/sql-text.ts";
import type { NativeRow } from "../../native.ts";
import type { FileRequest } from "../../storage/fetch-file.ts";
import type { LocalFiles } from "../../storage/local-files.ts";
import { hexText } from "./scan-sql.ts";

/** Reading what waits takes a fraction of this unless something is wrong. */
const READ_MS = 60_000;

/** Runs statements on the project's instance. */
export type WithDatabase = <T>(task: (database: ReadOnlyDatabase) => Promise<T>) => Promise<T>;

export interface StateColumnsParts {
  readonly local: LocalFiles;
  readonly project: number;
  readonly run: WithDatabase;
}

const SEEN_COLUMNS = ["kind", "distinct_id", "time", "index", "uuid", "last"];
const COLUMNS = [...SEEN_COLUMNS, "body"];

/**
 * Rows travel some at a time as one text: to hand them over one by one takes several times what it takes to find them. A body may
 * be as large as an event.
 */
const SEEN = { list: `kind, distinct_id, epoch_us("time")::VARCHAR, "index", uuid, epoch_us("last")::VARCHAR`, atATime: 2_048 };
const OPERATIONS = { list: `${SEEN.list}, body`, atATime: 128 };

/** Files of deltas, read by the engine. */
export const deltaColumns = (parts: StateColumnsParts, files: readonly DeltaFile[], history: readonly StateFile[]): EntryReader => {
  const operations = (where: string): Promise<readonly StoredEntry[]> =>
    reading(parts, fileRequests(files, COLUMNS), (path) => entries(parts, OPERATIONS, filesAt(files, path), where));
  return {
    // A body begins with the merge, or with null where there is none.
    persons: (which) => operations(`kind = ${ENTRY_KINDS.person}${which === "merges" ? " AND NOT starts_with(body, '[null,')" : ""}`),
    groups: () => operations(`kind = ${ENTRY_KINDS.group}`),
    async seen(ids) {
      if (ids.size === 0) return [];
      return withIds(parts, ids, (list) =>
        reading(parts, fileRequests(files, SEEN_COLUMNS), async (path) => {
          const where = `kind = ${ENTRY_KINDS.seen} AND ${among(list)}`;
          return entries(parts, SEEN, filesAt(files, path), where);
        }),
      );
    },
    async erased({ salt, digests }) {
      const condition = `left(sha256(${hexText(salt)} || distinct_id), ${digests[0]?.length ?? 0}) IN (${digests.map(hexText).join(", ")})`;
      return reading(parts, fileRequests(files, ["kind", "distinct_id"]), async (path) => {
        const from = filesAt(files, path);
        const rows = await select(parts, `SELECT DISTINCT distinct_id FROM ${from} WHERE kind = ${ENTRY_KINDS.seen} AND ${condition}`);
        return rows.map(([id]) => String(id));
      });
    },
    async tied() {
      if (history.length === 0) return [];
      const wanted = [...fileRequests(files, ["kind", "distinct_id"]), ...fileRequests(history, ["distinct_id", "tied", "log"])];
      return reading(parts, wanted, async (path) => {
        const seen = `SELECT DISTINCT distinct_id FROM ${readParquet(files.map(({ key }) => path(key)))} WHERE kind = ${ENTRY_KINDS.seen}`;
        const rows = await select(
          parts,
          `SELECT s.distinct_id FROM (${seen}) s SEMI JOIN (${mergedLogIds(history, path)}) t ON t.distinct_id = s.distinct_id`,
        );
        return rows.map(([id]) => String(id));
      });
    },
  };
};

const filesAt = (files: readonly DeltaFile[], path: (key: string) => string): string => readParquet(files.map(({ key }) => path(key)));

const entries = async (
  parts: StateColumnsParts,
  { list, atATime }: typeof SEEN,
  from: string,
  where: string,
): Promise<readonly StoredEntry[]> => {
  const text = `'[' || string_agg(json_array(${list})::VARCHAR, ',') || ']'`;
  const groups = `file_index, file_row_number // ${atATime}`;
  const texts = await select(parts, `SELECT ${text} FROM ${from} e WHERE ${where} GROUP BY ${groups}`);
  return texts.flatMap(([packed]) => packedRows(packed));
};

export interface DeltaFile {
  readonly key: string;
  readonly bytes: number;
}

/** Ids of logs that merges tie to others; files of the first version do not say so, and then some more do no harm. */
const mergedLogIds = (history: readonly StateFile[], path: (key: string) => string): string => {
  const marked = history.filter(({ v }) => v !== undefined);
  const unmarked = history.filter(({ v }) => v === undefined);
  const of = (files: readonly StateFile[], where: string): readonly string[] =>
    files.length === 0 ? [] : [`SELECT distinct_id FROM ${readParquet(files.map(({ key }) => path(key)))} WHERE ${where}`];
  return [
    ...of(marked, "tied"),
    ...of(
      unmarked,
      `contains(log, '"t":') OR contains(log, '"identify"') OR contains(log, '"alias"') OR contains(log, '"merge_dangerously"')`,
    ),
  ].join(" UNION ALL ");
};

/** Looks logs up by the engine: a state of millions of ids is too many objects to search in. */
export const logColumns = (parts: StateColumnsParts, history: readonly StateFile[]): LogReader => {
  const layers = [...new Set(history.map(({ layer = 0 }) => layer))].sort((a, b) => a - b);
  const logs = <T>(filter: (files: readonly StateFile[]) => string, decode: (text: string) => T): Promise<ReadonlyMap<string, T>> =>
    reading(parts, fileRequests(history, ["distinct_id", "log", "tied"]), async (path) => {
      const found = new Map<string, T>();
      for (const layer of layers) {
        const files = history.filter((file) => (file.layer ?? 0) === layer);
        const from = readParquet(files.map(({ key }) => path(key)));
        for (const [id, log] of await select(parts, `SELECT distinct_id, log FROM ${from} e WHERE ${filter(files)}`))
          found.set(String(id), decode(String(log)));
      }
      return found;
    });
  return {
    logs: (ids, decode) =>
      history.length === 0 || ids.size === 0 ? Promise.resolve(new Map()) : withIds(parts, ids, (path) => logs(() => among(path), decode)),
    tied: (decode) => logs((files) => (files.every(({ v }) => v !== undefined) ? "tied" : "true"), decode),
  };
};

const among = (ids: string): string => `e.distinct_id IN (SELECT id FROM ${readParquet([ids])})`;

/** A Parquet file of one column of ids. */
export const idsFile = async (ids: ReadonlySet<string>): Promise<Uint8Array> =>
  (await parquetFile([{ name: "id", kind: "utf8", values: [...ids], nullable: false, repeats: false }], ids.size, {})).content;

/** Numbers the files of ids within a process; they are local and live as long as the statement. */
let idFiles = 0;

const withIds = async <T>(
  { local, project }: StateColumnsParts,
  ids: ReadonlySet<string>,
  task: (path: string) => Promise<T>,
): Promise<T> => {
  const name = `ids-${idFiles++}.parquet`;
  const held = await local.holdBytes(project, name, () => idsFile(ids));
  try {
    return await task(held.path(name));
  } finally {
    held.release();
  }
};

const fileRequests = (files: readonly (DeltaFile | StateFile)[], columns: readonly string[]): readonly FileRequest[] =>
  files.map(({ key, bytes }) => ({ key, bytes, columns }));

const reading = async <T>(
  { local, project }: StateColumnsParts,
  wanted: readonly FileRequest[],
  task: (path: (key: string) => string) => Promise<T>,
): Promise<T> => {
  const held = await local.hold(project, wanted);
  try {
    return await task((key) => held.path(key));
  } finally {
    held.release();
  }
};

const select = async ({ run }: StateColumnsParts, sql: string): Promise<readonly NativeRow[]> => {
  const rows: NativeRow[] = [];
  await run((database) =>
    database.select(sql, [], READ_MS, (batch) => {
      for (const row of batch) rows.push(row);
      return "more";
    }),
  );
  return rows;
};

/** Only the statement of `entries` makes these texts. */
const packedRows = (text: NativeRow[number] | undefined): readonly StoredEntry[] => JSON.parse(String(text)) as readonly StoredEntry[];
