import { open, stat, unlink } from "node:fs/promises";
import type { EarnedColumn } from "../../event/earned-properties.ts";
import { EVENT_COLUMNS, EVENT_FORMAT, RARE_COLUMNS, type RareFacts } from "../../event/event.ts";
import { QUARTER_HOUR, QUARTER_US, QUARTERS_FROM_US } from "../../event/quarter-hours.ts";
import { utcDay } from "../../event/time-partitions.ts";
import { type FileFacts, MAX_BOUND_LENGTH, MAX_EVENT_NAMES, totalBytes, totalRows } from "../../lake/catalogue.ts";
import type { CountUsage, RowFiles, RowSource } from "../../lake/row-files.ts";
import type { Objects } from "../../ports/objects.ts";
import { countsUnderItself, type DayCounts } from "../../usage/day-counts.ts";
import type { Databases } from "../duckdb/databases.ts";
import type { Database } from "../duckdb/duckdb.ts";
import { literal, quoteName, readParquet } from "../duckdb/sql-text.ts";
import { earnedList } from "../query/scans/scan-sql.ts";
import type { LocalFiles } from "./local-files.ts";
import { allRows, MERGE_SIZES, type MergeSizes, type Piece, planPieces, STATEMENT_MS, within } from "./merge-pieces.ts";
import { mergedBigIntegers, mergedRareFacts, openRelation } from "./relation.ts";
import { usageOfFile, usageOfSources, usageWithout } from "./source-usage.ts";

/** Most bytes of a row group before it is compressed, about: a reader holds one for each of its threads. */
const ROW_GROUP_BYTES = 64_000_000;

/** Most rows of a row group, and the engine's unit of them. */
const ROW_GROUP_ROWS = 81_920;
const VECTOR_ROWS = 2_048;

const COLUMNS = EVENT_COLUMNS.map(({ name }) => name);

/** The columns of a file that has these sets of rare ones. */
const writtenColumns = (facts: RareFacts): readonly string[] =>
  COLUMNS.filter((column) => {
    const rare = RARE_COLUMNS.get(column);
    return rare === undefined || facts[rare.set];
  });

/** That column, from the times of the rows. */
const QUARTER_HOURS =
  `CASE WHEN epoch_us(timestamp) < ${QUARTERS_FROM_US} THEN timestamp ` +
  `ELSE make_timestamptz(epoch_us(timestamp) // ${QUARTER_US} * ${QUARTER_US}) END AS ${QUARTER_HOUR}`;

export interface Parts {
  readonly objects: Objects;
  readonly local: LocalFiles;
  readonly databases: Databases;
  readonly countUsage: CountUsage;
}

/** `RowFiles.merge` over Parquet: sorted and written by the engine, a piece at a time. */
export const mergeFiles =
  (parts: Parts, sizes: MergeSizes = MERGE_SIZES): RowFiles["merge"] =>
  (project, sources, shape, name, earned = []) => {
    const files = sources.map(({ file }) => file);
    return parts.databases.alone(project, totalBytes(files), async (database) => {
      const held = await parts.local.hold(
        project,
        files.map((file) => ({ ...file, columns: "all" as const })),
      );
      try {
        const rare = await mergedRareFacts(parts.local, database, project, sources, held);
        const bigIntegers = await mergedBigIntegers(parts.local, database, project, sources, held);
        const kept = earned.filter(({ column }) => sources.every(({ file }) => file.earned?.includes(column)));
        const relation = await openRelation(parts.local, project, sources, held, { columns: COLUMNS, earned: kept });
        try {
          if (relation.selects.length === 0) return [];
          const rows = relation.selects.join(" UNION ALL ");
          const usage = await usageOfSources(database, parts.countUsage, sources, held);
          const pieces = await planPieces(database, rows, sources, shape, sizesWith(sizes, sources, kept));
          return await writePieces(
            parts,
            database,
            project,
            rows,
            pieces,
            { usage, rare, bigIntegers, kept, taken: earned.filter((one) => !kept.includes(one)) },
            name,
          );
        } finally {
          relation.release();
        }
      } finally {
        held.release();
      }
    });
  };

/** Bytes that a column of an earned property takes of a row as it is sorted, about. */
const EARNED_BYTES = 24;

/** The sizes of a merge that sorts these columns beside what the facts of its files speak of. */
const sizesWith = (sizes: MergeSizes, sources: readonly RowSource[], kept: readonly EarnedColumn[]): MergeSizes => {
  const files = sources.map(({ file }) => file);
  const [known, more] = [totalBytes(files), totalRows(files) * kept.length * EARNED_BYTES];
  return { ...sizes, fileBytes: Math.floor((sizes.fileBytes * known) / (known + more)) };
};

/** What is known of the files of a merge, and the columns of earned properties: those that all of its files have, and those that the JSON gives. */
interface MergeFacts {
  readonly usage: DayCounts;
  readonly rare: RareFacts;
  readonly bigIntegers: boolean;
  readonly kept: readonly EarnedColumn[];
  readonly taken: readonly EarnedColumn[];
}

const writePieces = async (
  parts: Parts,
  database: Database,
  project: number,
  rows: string,
  pieces: readonly Piece[],
  { usage, rare, bigIntegers, kept, taken }: MergeFacts,
  name: () => string,
): Promise<FileFacts[]> => {
  const written: Omit<FileFacts, "usage">[] = [];
  const counts: DayCounts[] = [];
  const countPiece = (piece: Piece, facts: Pick<FileFacts, "events">, path: string): Promise<DayCounts> | DayCounts =>
    hasWholeDays(piece) ? countsOfDays(usage, piece) : usageOfFile(database, parts.countUsage, facts, path);
  const earned = [...kept, ...taken].map(({ column }) => column);
  const sorted = [...writtenColumns(rare), ...kept.map(({ column }) => column)].map(quoteName).join(", ");
  // Taken from the JSON once the rows are sorted, so that less is sorted.
  const listed = [sorted, QUARTER_HOURS, ...earnedList(taken)].join(", ");
  for (const piece of pieces) {
    const path = `${parts.local.readable(project)}merged-${mergedFiles++}.parquet`;
    try {
      await database.copy(
        `COPY (SELECT ${listed} FROM (SELECT ${sorted} FROM (${rows}) WHERE ${within(piece)} ORDER BY distinct_id, timestamp)) TO ${literal(path)} ` +
          `(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroupRows(piece)}, WRITE_BLOOM_FILTER false, KV_METADATA {v: '${EVENT_FORMAT}'})`,
      );
      const facts = await readFacts(database, path, piece.plainBytes);
      if (!facts) continue;
      counts.push(counts.length === 0 ? {} : await countPiece(piece, facts, path));
      const key = name();
      await parts.objects.putFile(key, path);
      written.push({ key, ...facts, ...rare, bigIntegers, quarterHours: true, ...(earned.length > 0 && { earned }) });
    } finally {
      await unlink(path).catch(() => undefined);
    }
  }
  // The first file counts what the others do not: whatever the sources count, nothing of it is lost.
  const first = usageWithout(usage, counts);
  return written.map((facts, at) => ({ ...facts, usage: (at === 0 ? first : counts[at]) ?? {} }));
};

/** Whether no other piece has rows that count under days of this one. */
const hasWholeDays = ({ days, ranges }: Piece): boolean => ranges.length === 0 && countsUnderItself(days[0]);

/** As many vectors as fit: of very wide rows even one is more, but no more than the file. */
const rowGroupRows = ({ rows, plainBytes }: Piece): number => {
  const fitting = Math.floor((ROW_GROUP_BYTES * Math.max(1, rows)) / Math.max(1, plainBytes) / VECTOR_ROWS);
  return Math.min(ROW_GROUP_ROWS, Math.max(1, fitting) * VECTOR_ROWS);
};

/** Numbers the files being written within a process. */
let mergedFiles = 0;

const readFacts = async (
  database: Database,
  path: string,
  plainBytes: number,
): Promise<Omit<FileFacts, "key" | "usage" | "earned" | "bigIntegers" | "quarterHours" | keyof RareFacts> | undefined> => {
  const file = readParquet([path]);
  const [bounds] = await allRows(
    database,
    `SELECT count(*), epoch_us(min(timestamp)), epoch_us(max(timestamp)), min(distinct_id), max(distinct_id),
       coalesce(bool_or(regexp_matches(distinct_id, '[\\x{E000}-\\x{10FFFF}]')), false) FROM ${file}`,
  );
  const rows = Number(bounds?.[0] ?? 0);
  if (!bounds || rows === 0) return undefined;
  const names = (await allRows(database, `SELECT DISTINCT event FROM ${file} LIMIT ${MAX_EVENT_NAMES + 1}`)).map(([event]) =>
    String(event),
  );
  const ids = bounds[5] === true ? await idsByCodeUnit(database, file) : [String(bounds[3]), String(bounds[4])];
  const times = [String(bounds[1]), String(bounds[2])] as const;
  const days = [utcDay(BigInt(times[0])), utcDay(BigInt(times[1]))] as const;
  return {
    bytes: (await stat(path)).size,
    rows,
    plainBytes,
    days,
    times,
    ids: [(ids[0] ?? "").slice(0, MAX_BOUND_LENGTH), (ids[1] ?? "").slice(0, MAX_BOUND_LENGTH)],
    events: names.length > MAX_EVENT_NAMES ? null : names.sort(),
    ...(await readFooterBytes(path)),
  };
};

/** The engine orders texts by bytes, facts by code units: above U+E000 the two differ, so such ids are compared here. */
const idsByCodeUnit = async (database: Database, file: string): Promise<string[]> => {
  let least: string | undefined;
  let most: string | undefined;
  await database.select(`SELECT DISTINCT distinct_id FROM ${file}`, [], STATEMENT_MS, (batch) => {
    for (const [value] of batch) {
      const id = String(value);
      if (least === undefined || id < least) least = id;
      if (most === undefined || id > most) most = id;
    }
    return "more";
  });
  return [least ?? "", most ?? ""];
};

const countsOfDays = (usage: DayCounts, { days: [first, last] }: Piece): DayCounts =>
  Object.fromEntries(Object.entries(usage).filter(([day]) => Number(day) >= first && Number(day) <= last));

const readFooterBytes = async (path: string): Promise<{ footerBytes: number; footer: string }> => {
  await using handle = await open(path);
  const { size } = await handle.stat();
  const end = Buffer.alloc(8);
  await handle.read(end, 0, 8, size - 8);
  const footerBytes = end.readUInt32LE(0);
  const footer = Buffer.alloc(footerBytes);
  await handle.read(footer, 0, footerBytes, size - 8 - footerBytes);
  return { footerBytes, footer: footer.toString("base64") };
};
