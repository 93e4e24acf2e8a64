import { DAY_US } from "../../core/time.ts";
import { ROW_BYTES, sortedBytes } from "../../lake/catalogue.ts";
import { POLICIES } from "../../lake/policy.ts";
import type { RowSource, Shape } from "../../lake/row-files.ts";
import type { Database } from "../duckdb/duckdb.ts";
import { quoteName } from "../duckdb/sql-text.ts";
import type { Native, NativeRow } from "../native.ts";
import { columnTypes, hexText, utcDay } from "../query/scans/scan-sql.ts";

/** How much goes together. */
export interface MergeSizes {
  /** Days are put together up to this many rows. */
  readonly fileRows: number;
  /** A day with more rows than this is split. */
  readonly mostRows: number;
  /** Bytes of a file's rows as they are sorted: more at once does not fit the memory. */
  readonly fileBytes: number;
}

export const MERGE_SIZES: MergeSizes = { fileRows: 250_000, mostRows: 1_000_000, fileBytes: POLICIES.deployed.fileBytes };

/** About how many files a merge into parts makes: a month's days. */
const PARTS = 32;

/** One output file: whole days, or ranges of a day. */
export interface Piece {
  readonly days: readonly [number, number];
  readonly ranges: readonly Range[];
  readonly rows: number;
  readonly plainBytes: number;
}

/** Values of a column from one, inclusive, to another, exclusive; null where it is open. */
interface Range {
  readonly key: Key;
  readonly from: Native;
  readonly to: Native;
}

const EVERY_DAY = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** No statement of a merge takes this long; the function that runs it ends before. */
export const STATEMENT_MS = 600_000;

/** The pieces that the rows of all sources are written as: as few as the sizes and the shape allow, in order. */
export const planPieces = async (
  database: Database,
  rows: string,
  sources: readonly RowSource[],
  shape: Shape,
  sizes: MergeSizes,
): Promise<readonly Piece[]> => {
  const whole: Piece = {
    days: EVERY_DAY,
    ranges: [],
    rows: sources.reduce((sum, { file, skip }) => sum + file.rows - skip.length, 0),
    plainBytes: sources.reduce((sum, { file }) => sum + sortedBytes(file), 0),
  };
  const oneDay = new Set(sources.flatMap(({ file }) => file.days)).size === 1;
  if (whole.plainBytes <= sizes.fileBytes && (shape === "one" || (oneDay && whole.rows <= sizes.mostRows))) return [whole];
  const days = await readDays(database, rows);
  if (shape === "one" && sum(days) <= sizes.fileBytes) return [{ ...whole, plainBytes: sum(days) }];
  if (shape === "busiest" && sum(days) <= sizes.fileBytes) return aroundBusiest(days);
  const most = shape === "parts" ? Math.min(sizes.fileBytes, sum(days) / PARTS) : sizes.fileBytes;
  const pieces: Piece[] = [];
  for (const group of groupsOfDays(days, sizes.fileRows, most)) {
    const isTooMuch = group.plainBytes > sizes.fileBytes || group.rows > sizes.mostRows;
    pieces.push(...(isTooMuch ? await split(database, rows, group, sizes, KEYS) : [group]));
  }
  return pieces;
};

const sum = (days: readonly Piece[]): number => days.reduce((total, { plainBytes }) => total + plainBytes, 0);

/** Bytes of a row as it is sorted. */
const ROW_WEIGHT = [
  ROW_BYTES,
  ...[...columnTypes("events")].filter(([, type]) => type === "VARCHAR").map(([column]) => `coalesce(strlen(${quoteName(column)}), 0)`),
].join(" + ");

const readDays = async (database: Database, rows: string): Promise<readonly Piece[]> => {
  const sql = `SELECT ${utcDay("timestamp")} AS d, count(*), sum(${ROW_WEIGHT})::DOUBLE FROM (${rows}) GROUP BY 1 ORDER BY 1`;
  return (await allRows(database, sql)).map(([day, count, bytes]) => ({
    days: [Number(day), Number(day)],
    ranges: [],
    rows: Number(count),
    plainBytes: Number(bytes),
  }));
};

/** The day that has more than half of the rows by itself, and together what is before it, and what is after it; all together where no day has. */
const aroundBusiest = (days: readonly Piece[]): readonly Piece[] => {
  const half = days.reduce((total, { rows }) => total + rows, 0) / 2;
  const at = days.findIndex(({ rows }) => rows > half);
  const groups = at < 0 ? [days] : [days.slice(0, at), days.slice(at, at + 1), days.slice(at + 1)];
  return groups.filter((group) => group.length > 0).map((group) => group.reduce(together));
};

const groupsOfDays = (days: readonly Piece[], mostRows: number, mostBytes: number): readonly Piece[] => {
  const groups: Piece[] = [];
  for (const day of days) {
    const last = groups.at(-1);
    if (last && last.rows + day.rows <= mostRows && last.plainBytes + day.plainBytes <= mostBytes)
      groups[groups.length - 1] = together(last, day);
    else groups.push(day);
  }
  return groups;
};

/** Neighbouring days as one piece. */
const together = (before: Piece, after: Piece): Piece => ({
  days: [before.days[0], after.days[1]],
  ranges: [],
  rows: before.rows + after.rows,
  plainBytes: before.plainBytes + after.plainBytes,
});

/**
 * The columns that a day is split by, in this order: together these tell any two of its rows apart. So one distinct_id stands in two pieces only
 * where its day alone is too much.
 */
const KEYS = ["distinct_id", "timestamp", "uuid", "event"] as const;
type Key = (typeof KEYS)[number];

/**
 * Ranges of the first key with about half of what a file may hold each; a single value that has more than that stands alone, and
 * where it has more than a file may hold it is split by the next key.
 */
const split = async (
  database: Database,
  rows: string,
  piece: Piece,
  sizes: MergeSizes,
  keys: readonly Key[],
): Promise<readonly Piece[]> => {
  const [key, ...others] = keys;
  if (key === undefined) return [piece];
  const sql = `
    WITH value AS (
      SELECT ${key} AS v, count(*) AS n, sum(${ROW_WEIGHT})::DOUBLE AS w,
        greatest(w / ${sizes.fileBytes / 2}, n / ${sizes.fileRows}) AS share
      FROM (${rows}) WHERE ${within(piece)} GROUP BY 1
    ), placed AS (
      SELECT *, share > 1 AS alone, floor(coalesce(sum(share) OVER (ORDER BY v ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) AS place
      FROM value
    )
    SELECT min(v), sum(n)::DOUBLE, sum(w)::DOUBLE FROM placed GROUP BY place, alone ORDER BY 1`;
  const found = await allRows(database, sql);
  const pieces: Piece[] = [];
  for (const [at, [from, count, bytes]] of found.entries()) {
    const range: Range = { key, from: at === 0 ? null : (from ?? null), to: found[at + 1]?.[0] ?? null };
    const part: Piece = { days: piece.days, ranges: [...piece.ranges, range], rows: Number(count), plainBytes: Number(bytes) };
    pieces.push(...(part.plainBytes > sizes.fileBytes ? await split(database, rows, part, sizes, others) : [part]));
  }
  return pieces;
};

/** The condition that a row belongs to a piece. */
export const within = ({ days: [first, last], ranges }: Piece): string => {
  const conditions = [
    ...(Number.isFinite(first) ? [`timestamp >= ${dayStart(first)} AND timestamp < ${dayStart(last + 1)}`] : []),
    ...ranges.flatMap(({ key, from, to }) => [
      ...(from === null ? [] : [`${key} >= ${valueIn(key, from)}`]),
      ...(to === null ? [] : [`${key} < ${valueIn(key, to)}`]),
    ]),
  ];
  return conditions.length === 0 ? "true" : conditions.join(" AND ");
};

const dayStart = (day: number): string => stamp(BigInt(day) * DAY_US);
const stamp = (micros: bigint): string => `make_timestamptz(${micros}::BIGINT)`;

/** A value of a key. */
const valueIn = (key: Key, value: Native): string => {
  if (typeof value === "object" && value !== null && "micros" in value) return stamp(value.micros);
  const text = hexText(String(value));
  return key === "uuid" ? `${text}::UUID` : text;
};

export const allRows = async (database: Database, sql: string): Promise<NativeRow[]> => {
  const rows: NativeRow[] = [];
  await database.select(sql, [], STATEMENT_MS, (batch) => {
    rows.push(...batch);
    return "more";
  });
  return rows;
};
