import type { EventRow } from "../../event/event.ts";
import type { DayCounts } from "../../usage/day-counts.ts";
import type { FileFacts } from "../catalogue/catalogue.ts";
import type { At } from "../persons/deltas.ts";

/** A file's facts without its place. */
export type WrittenFile = Omit<FileFacts, "key"> & { readonly content: Uint8Array };

/** A file to read rows from, without the rows at the positions in `skip` (ascending, 0-based). */
export interface RowSource {
  readonly file: FileFacts;
  readonly skip: readonly number[];
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
   * only finds candidates. Returns the positions to skip per segment key; a segment without any is left out.
   */
  duplicates(project: number, segments: readonly FileFacts[], files: readonly FileFacts[]): Promise<ReadonlyMap<string, readonly number[]>>;

  /** Who was seen in the rows of a segment that are skipped, and in its other rows of the same ids. */
  sightings(source: RowSource): Promise<Sightings>;

  /** What the rows of a file count, read again one by one: its facts are not believed. */
  recount(project: number, file: FileFacts): Promise<DayCounts>;

  /**
   * Writes the rows of all sources, which hold no duplicate among them, into new objects named by `name()`. Each is sorted by
   * (distinct_id, timestamp) and holds only so many bytes; what does not fit is cut between days, then between distinct_ids, then
   * between times of one distinct_id, down to a single row. No file when no row is left.
   */
  merge(project: number, sources: readonly RowSource[], shape: Shape, name: () => string): Promise<readonly FileFacts[]>;
}

/**
 * `one`: a single file if it fits. `days`: whole days put together up to about 250,000 rows, a day above 1 million rows split by
 * ranges of distinct_id. `parts`: some thirty files, each of as few days as that allows; at least two where there are two days.
 */
export type Shape = "one" | "days" | "parts";
