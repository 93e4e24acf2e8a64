import { holdsBigInteger } from "../core/exact-json.ts";
import type { EarnedColumn } from "../event/earned-properties.ts";
import { EVENT_FORMAT, type EventRow, rareFacts } from "../event/event.ts";
import { utcDay } from "../event/time-partitions.ts";
import type { Countable, DayCounts } from "../usage/day-counts.ts";
import { type FileFacts, MAX_BOUND_LENGTH, MAX_EVENT_NAMES, ROW_BYTES } from "./catalogue.ts";
import { eventColumns } from "./parquet/event-columns.ts";
import { parquetFile } from "./parquet.ts";
import type { At } from "./persons/deltas.ts";

/** A file's facts without its place. */
export type WrittenFile = Omit<FileFacts, "key"> & { readonly content: Uint8Array };

/** A file to read rows from, without the rows at the positions in `skip` (ascending, 0-based). */
export interface RowSource {
  readonly file: FileFacts;
  readonly skip: readonly number[];
}

/** Conditions on rows: a row matches where any of these holds of it. */
export interface RowMatch {
  readonly ids?: readonly string[];
  /** Ids by their salted digests: see `erasedDigest`. */
  readonly erased?: { readonly salt: string; readonly digests: readonly string[] };
  readonly imports?: readonly string[];
  /** Events that identify groups. */
  readonly groupEvents?: boolean;
}

/** The fields of a row that persons and groups are made of. */
export type ProfileRow = Pick<EventRow, "event" | "distinct_id" | "timestamp" | "index" | "uuid" | "person_mode" | "properties">;

/** How many rows match, of one id on one UTC day (days since 1970). */
export interface MatchingCount extends Pick<EventRow, "distinct_id" | "person_mode"> {
  readonly day: number;
  readonly rows: number;
}

/** A row with person processing on: who was seen, and where it stands in the order. */
export interface Sighting {
  readonly id: string;
  readonly at: At;
}

/** Of the ids of the rows that a source skips: their skipped rows and those that stay. */
export interface Sightings {
  readonly skipped: readonly Sighting[];
  readonly staying: readonly Sighting[];
}

/**
 * The only part that knows what a file of rows looks like. The platform's is Parquet; the simulation's is a list in memory;
 * both pass `test/ports/row-files.suite.ts`.
 */
export interface RowFiles {
  /** One file of rows, sorted by (distinct_id, timestamp). The caller has removed duplicates among them. */
  write(rows: readonly EventRow[]): Promise<WrittenFile>;

  /**
   * Which rows of the waiting segments must not be seen: those whose identity (project, UTC day, event, distinct_id, uuid) a
   * file already has, and of several waiting copies all but the least (created_at, request, index). Exact: the identity hash
   * only finds candidates. Skipped rows are copies of nothing. Returns the positions to skip per segment key; a segment without any is left out.
   */
  duplicates(project: number, segments: readonly FileFacts[], files: readonly FileFacts[]): Promise<ReadonlyMap<string, readonly number[]>>;

  /**
   * The places of the rows that match, by file, ascending; a file without any is left out. Skipped rows match, too. Of a file in which no
   * row can match by what its facts say nothing is read.
   */
  matching(project: number, files: readonly FileFacts[], match: RowMatch): Promise<ReadonlyMap<string, readonly number[]>>;

  /**
   * Reads the rows of sources that match and are not skipped, some at a time, in no order; with `groups` only those of events that identify
   * groups.
   */
  readMatching(
    project: number,
    sources: readonly RowSource[],
    match: RowMatch,
    events: "all" | "groups",
    take: (rows: readonly ProfileRow[]) => void,
  ): Promise<void>;

  /** How many rows of sources match and are not skipped, in no order. */
  countMatching(project: number, sources: readonly RowSource[], match: RowMatch): Promise<readonly MatchingCount[]>;

  /**
   * What the rows of each source count that it does not skip, in their order, from what its file counts: only rows that it skips anew are
   * read, all of which match.
   */
  usageLeft(project: number, sources: readonly RowSource[], match: RowMatch): Promise<readonly DayCounts[]>;

  /** Who was seen in the rows of a segment that are skipped, and in its other rows of the same ids. */
  sightings(source: RowSource): Promise<Sightings>;

  /** Counts the rows of a file that are not skipped, read again one by one: its facts are not believed. */
  recount(project: number, file: FileFacts): Promise<DayCounts>;

  /**
   * Writes the rows of all sources, which hold no duplicate among them, into new objects named by `name()`. Each is sorted by
   * (distinct_id, timestamp) and holds only so many bytes; what does not fit is cut between days, then between distinct_ids, then
   * between times of one distinct_id, down to a single row. No file when no row is left. Where properties have earned columns, the files
   * get these, and say so.
   */
  merge(
    project: number,
    sources: readonly RowSource[],
    shape: Shape,
    name: () => string,
    earned?: readonly EarnedColumn[],
  ): Promise<readonly FileFacts[]>;
}

/**
 * `one`: a single file if it fits. `busiest`: the same, but the day that has more than half of the rows is a file by itself, between one of
 * the days before it and one of those after it. `days`: whole days put together up to about 250,000 rows, a day above 1 million rows split by
 * ranges of distinct_id. `parts`: some thirty files, each of as few days as that allows; at least two where there are two days.
 */
export type Shape = "one" | "busiest" | "days" | "parts";

type SeenRow = Pick<EventRow, "distinct_id" | "timestamp" | "index" | "uuid" | "person_mode">;

/** `RowFiles.sightings` of the rows of a segment, in their order. */
export const findSightings = (rows: readonly SeenRow[], skip: readonly number[]): Sightings => {
  const gone = new Set(skip);
  const skipped = rows.filter((row, place) => gone.has(place) && row.person_mode === "full");
  const ids = new Set(skipped.map(({ distinct_id }) => distinct_id));
  const staying = rows.filter((row, place) => !gone.has(place) && row.person_mode === "full" && ids.has(row.distinct_id));
  return { skipped: skipped.map(rowSighting), staying: staying.map(rowSighting) };
};

const rowSighting = ({ distinct_id, timestamp, index, uuid }: SeenRow): Sighting => ({
  id: distinct_id,
  at: { time: timestamp, index, uuid },
});

/** Counts what a set of rows adds to a project's usage, per UTC day and usage type. */
export type CountUsage = (rows: readonly Countable[]) => DayCounts;

/** The part of the row files that ingest needs, without the engine. */
export const segmentFiles = (countUsage: CountUsage): Pick<RowFiles, "write"> => ({ write: (rows) => writeSegment(rows, countUsage) });

/** A Parquet file of rows, at least one, sorted by (distinct_id, timestamp), written without native code. */
export const writeSegment = async (rows: readonly EventRow[], countUsage: CountUsage): Promise<WrittenFile> => {
  const { sorted, ids } = sortRows(rows);
  const rare = rareFacts(sorted);
  const { content, footerBytes } = await parquetFile(eventColumns(sorted, rare), sorted.length, { v: String(EVENT_FORMAT) });
  const [first, last] = timeRange(sorted);
  return {
    content,
    bytes: content.length,
    rows: sorted.length,
    plainBytes: sorted.reduce((sum, row) => sum + rowBytes(row), 0),
    days: [utcDay(first), utcDay(last)],
    times: [String(first), String(last)],
    ids: [(ids[0] ?? "").slice(0, MAX_BOUND_LENGTH), (ids.at(-1) ?? "").slice(0, MAX_BOUND_LENGTH)],
    events: eventNames(sorted),
    usage: countUsage(rows),
    ...rare,
    bigIntegers: sorted.some(({ properties }) => holdsBigInteger(properties)),
    footerBytes,
  };
};

/** Bytes of a row as it is sorted; of the texts that can be long the real ones, of the others about. */
export const rowBytes = (row: EventRow): number => {
  let bytes = ROW_BYTES + Buffer.byteLength(row.properties) + Buffer.byteLength(row.elements_chain) + row.event.length;
  bytes += row.distinct_id.length + (row.session_id?.length ?? 0) + (row.window_id?.length ?? 0);
  for (const value of row.hot) if (typeof value === "string") bytes += value.length;
  for (const group of row.groups) bytes += group?.length ?? 0;
  return bytes;
};

/** Rows by (distinct_id, timestamp), and beside them the ids as they are stored: a lone surrogate becomes U+FFFD. */
const sortRows = (rows: readonly EventRow[]): { sorted: EventRow[]; ids: string[] } => {
  const byId = new Map<string, EventRow[]>();
  for (const row of rows) {
    const id = row.distinct_id.toWellFormed();
    const same = byId.get(id);
    if (same) same.push(row);
    else byId.set(id, [row]);
  }
  const sorted: EventRow[] = [];
  const ids: string[] = [];
  for (const id of [...byId.keys()].sort()) {
    const same = byId.get(id) ?? [];
    if (same.length > 1) same.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
    for (const row of same) {
      sorted.push(row);
      ids.push(id);
    }
  }
  return { sorted, ids };
};

const timeRange = (rows: readonly EventRow[]): readonly [bigint, bigint] => {
  let least = rows[0]?.timestamp ?? 0n;
  let most = least;
  for (const { timestamp } of rows) {
    if (timestamp < least) least = timestamp;
    else if (timestamp > most) most = timestamp;
  }
  return [least, most];
};

const eventNames = (rows: readonly EventRow[]): readonly string[] | null => {
  const names = new Set<string>();
  for (const { event } of rows) {
    names.add(event.toWellFormed());
    if (names.size > MAX_EVENT_NAMES) return null;
  }
  return [...names].sort();
};
