import { open, stat, unlink } from "node:fs/promises";
import type { DayCounts, FileFacts } from "../lake/catalogue.ts";
import { EVENT_FORMAT } from "../lake/event.ts";
import { MAX_BOUND, MAX_NAMES } from "../lake/facts.ts";
import type { RowFiles, RowSource } from "../lake/row-files.ts";
import type { CountUsage } from "../lake/segment.ts";
import type { Objects } from "../world/objects.ts";
import type { Databases } from "./databases.ts";
import { type Database, literal } from "./duckdb.ts";
import type { LocalFiles } from "./local-files.ts";
import type { NativeRow } from "./native.ts";
import { relationOf } from "./relation.ts";
import { columnTypes, readParquet, selectList, utcDay } from "./scan-sql.ts";
import { usageOfSources } from "./source-usage.ts";

/** How many rows go together. */
export interface MergeSizes {
  /** Days are put together up to this many rows. */
  readonly fileRows: number;
  /** A day with more rows than this is split by ranges of distinct_id: more at once does not fit the memory when sorted. */
  readonly mostRows: number;
}

const SIZES: MergeSizes = { fileRows: 250_000, mostRows: 1_000_000 };

/** Rows per row group, a multiple of the engine's vectors of 2,048. */
const ROW_GROUP_ROWS = 81_920;

/** Ids looked at to find the borders of ranges. */
const SAMPLE_ROWS = 50_000;

const DAY_US = 86_400_000_000n;

/** No statement of a merge takes this long; the function that runs it ends before. */
const STATEMENT_MS = 600_000;

const COLUMNS = [...columnTypes("events").keys()];

export interface Parts {
  readonly objects: Objects;
  readonly local: LocalFiles;
  readonly databases: Databases;
  readonly countUsage: CountUsage;
}

/** `RowFiles.merge` over Parquet: sorted and written by the engine, a piece at a time. */
export const mergeFiles =
  (parts: Parts, sizes: MergeSizes = SIZES): RowFiles["merge"] =>
  (project, sources, shape, name) =>
    parts.databases.alone(project, async (database) => {
      const held = await parts.local.hold(
        project,
        sources.map(({ file }) => ({ ...file, columns: "all" as const })),
      );
      try {
        const relation = await relationOf(parts.local, project, sources, held, selectList(COLUMNS, columnTypes("events")));
        try {
          if (relation.selects.length === 0) return [];
          const rows = relation.selects.join(" UNION ALL ");
          const usage = await usageOfSources(database, parts.countUsage, sources, held);
          return await writePieces(parts, database, project, rows, await piecesOf(database, rows, sources, shape, sizes), usage, name);
        } finally {
          relation.release();
        }
      } finally {
        held.release();
      }
    });

/** One output file: whole days, or a range of distinct_id of a day. Null bounds are open. */
interface Piece {
  readonly days: readonly [number, number] | null;
  readonly ids: readonly [string | null, string | null];
}

const WHOLE: Piece = { days: null, ids: [null, null] };

const piecesOf = async (
  database: Database,
  rows: string,
  sources: readonly RowSource[],
  shape: "one" | "days",
  sizes: MergeSizes,
): Promise<readonly Piece[]> => {
  const total = sources.reduce((sum, { file, skip }) => sum + file.rows - skip.length, 0);
  const oneDay = new Set(sources.flatMap(({ file }) => file.days)).size === 1;
  if (shape === "one" || (oneDay && total <= sizes.mostRows)) return [WHOLE];
  const found = await all(database, `SELECT ${utcDay("timestamp")} AS d, count(*) FROM (${rows}) GROUP BY 1 ORDER BY 1`);
  const pieces: Piece[] = [];
  let group: { from: number; to: number; rows: number } | undefined;
  const close = (): void => {
    if (group) pieces.push({ days: [group.from, group.to], ids: [null, null] });
    group = undefined;
  };
  for (const [start, count] of found) {
    const day = Number(start);
    const size = Number(count);
    if (size > sizes.mostRows) {
      close();
      pieces.push(...(await splitDay(database, rows, day, Math.ceil(size / sizes.fileRows))));
      continue;
    }
    if (group && group.rows + size > sizes.fileRows) close();
    if (group) group = { from: group.from, to: day, rows: group.rows + size };
    else group = { from: day, to: day, rows: size };
  }
  close();
  return pieces;
};

/** Ranges of distinct_id, at most so many and of about as many rows each; one id never stands in two. */
const splitDay = async (database: Database, rows: string, day: number, parts: number): Promise<Piece[]> => {
  const sample = `SELECT distinct_id FROM (${rows}) WHERE ${within({ days: [day, day], ids: [null, null] })} USING SAMPLE ${SAMPLE_ROWS} ROWS`;
  const ids = (await all(database, `SELECT distinct_id FROM (${sample}) ORDER BY 1`)).map(([id]) => String(id));
  const borders = Array.from({ length: parts - 1 }, (_, at) => ids[Math.floor(((at + 1) * ids.length) / parts)] ?? "");
  const distinct = [...new Set(borders)];
  return [null, ...distinct].map((from, at) => ({ days: [day, day], ids: [from, distinct[at] ?? null] }));
};

const within = ({ days, ids }: Piece): string => {
  const [from, to] = ids;
  const conditions = [
    ...(days ? [`timestamp >= ${stamp(days[0])} AND timestamp < ${stamp(days[1] + 1)}`] : []),
    ...(from === null ? [] : [`distinct_id >= ${text(from)}`]),
    ...(to === null ? [] : [`distinct_id < ${text(to)}`]),
  ];
  return conditions.length === 0 ? "true" : conditions.join(" AND ");
};

const stamp = (day: number): string => `make_timestamptz(${BigInt(day) * DAY_US}::BIGINT)`;

/** A tenant's text reaches a statement as hexadecimal digits only. */
const text = (value: string): string => `decode(unhex('${Buffer.from(value).toString("hex")}'))`;

const writePieces = async (
  parts: Parts,
  database: Database,
  project: number,
  rows: string,
  pieces: readonly Piece[],
  usage: DayCounts,
  name: () => string,
): Promise<FileFacts[]> => {
  const written: FileFacts[] = [];
  let counted = Number.NEGATIVE_INFINITY;
  for (const piece of pieces) {
    const last = piece.days?.[1] ?? Number.POSITIVE_INFINITY;
    const path = `${parts.local.readable(project)}merged-${mergedFiles++}.parquet`;
    try {
      await database.copy(
        `COPY (SELECT * FROM (${rows}) WHERE ${within(piece)} ORDER BY distinct_id, timestamp) TO ${literal(path)} ` +
          `(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}, WRITE_BLOOM_FILTER false, KV_METADATA {v: '${EVENT_FORMAT}'})`,
      );
      const facts = await factsOf(database, path, countsBetween(usage, counted, last));
      if (!facts) continue;
      // Counts of a day that is split are with the first of its files: a range may turn out to be empty.
      counted = last;
      const key = name();
      await parts.objects.putFile(key, path);
      written.push({ key, ...facts });
    } finally {
      await unlink(path).catch(() => undefined);
    }
  }
  return written;
};

/** Numbers the files being written within a process. */
let mergedFiles = 0;

const factsOf = async (database: Database, path: string, usage: DayCounts): Promise<Omit<FileFacts, "key"> | undefined> => {
  const file = readParquet([path]);
  const [bounds] = await all(
    database,
    `SELECT count(*), epoch_us(min(timestamp)), epoch_us(max(timestamp)), min(distinct_id), max(distinct_id),
       coalesce(bool_or(regexp_matches(distinct_id, '[\\x{E000}-\\x{10FFFF}]')), false) FROM ${file}`,
  );
  const rows = Number(bounds?.[0] ?? 0);
  if (!bounds || rows === 0) return undefined;
  const names = (await all(database, `SELECT DISTINCT event FROM ${file} LIMIT ${MAX_NAMES + 1}`)).map(([event]) => String(event));
  const ids = bounds[5] === true ? await idsByCodeUnit(database, file) : [String(bounds[3]), String(bounds[4])];
  const times = [String(bounds[1]), String(bounds[2])] as const;
  const days = [dayOf(times[0]), dayOf(times[1])] as const;
  return {
    bytes: (await stat(path)).size,
    rows,
    days,
    times,
    ids: [(ids[0] ?? "").slice(0, MAX_BOUND), (ids[1] ?? "").slice(0, MAX_BOUND)],
    events: names.length > MAX_NAMES ? null : names.sort(),
    usage,
    ...(await footerOf(path)),
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

const dayOf = (micros: string): number => {
  const value = BigInt(micros);
  const day = value / DAY_US;
  return Number(value < 0n && day * DAY_US !== value ? day - 1n : day);
};

/** The counts after one day and up to another: long ago a count stands under a day before that of its rows, never after it. */
const countsBetween = (usage: DayCounts, after: number, upTo: number): DayCounts =>
  Object.fromEntries(Object.entries(usage).filter(([day]) => Number(day) > after && Number(day) <= upTo));

const footerOf = async (path: string): Promise<{ footerBytes: number; footer: string }> => {
  await using handle = await open(path);
  const { size } = await handle.stat();
  const end = Buffer.alloc(8);
  await handle.read(end, 0, 8, size - 8);
  const footerBytes = end.readUInt32LE(0);
  const footer = Buffer.alloc(footerBytes);
  await handle.read(footer, 0, footerBytes, size - 8 - footerBytes);
  return { footerBytes, footer: footer.toString("base64") };
};

const all = async (database: Database, sql: string): Promise<NativeRow[]> => {
  const rows: NativeRow[] = [];
  await database.select(sql, [], STATEMENT_MS, (batch) => {
    rows.push(...batch);
    return "more";
  });
  return rows;
};
