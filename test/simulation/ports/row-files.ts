import type { SharedRows } from "../../../lib/engine/storage/compared-pairs.ts";
import { type CompareRows, openDuplicateFinder } from "../../../lib/engine/storage/duplicates.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { importOfRequest } from "../../../lib/event/imports.ts";
import { utcDay } from "../../../lib/event/time-partitions.ts";
import { type FileFacts, MAX_BOUND_LENGTH, MAX_EVENT_NAMES } from "../../../lib/lake/catalogue.ts";
import { GROUP_IDENTIFY } from "../../../lib/lake/group-types.ts";
import { erasedDigest } from "../../../lib/lake/removals.ts";
import {
  findSightings,
  type MatchingCount,
  type RowFiles,
  type RowMatch,
  type RowSource,
  rowBytes,
  type Shape,
  type WrittenFile,
} from "../../../lib/lake/row-files.ts";
import { skippedPlaces } from "../../../lib/lake/skipped-rows.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import type { DayCounts } from "../../../lib/usage/day-counts.ts";

/** The rows of files by their content, for checks. */
export interface RowLists {
  rowsIn(content: Uint8Array): readonly EventRow[] | undefined;
}

/** Lists of rows behind files: an object holds only a number, so a file that was deleted is as gone as a real one. */
export interface NumberedRows extends RowLists {
  add(rows: readonly EventRow[]): Uint8Array;
}

export const rowLists = (): NumberedRows => {
  const lists: (readonly EventRow[])[] = [];
  return {
    add(rows) {
      lists.push(rows);
      return new Uint8Array(Float64Array.of(lists.length - 1).buffer);
    },
    rowsIn: (content) => lists[new Float64Array(content.slice().buffer)[0] ?? -1],
  };
};

export interface MemoryRowFilesOptions {
  readonly countUsage: (rows: readonly EventRow[]) => DayCounts;
  /** Rows of a file of whole days. */
  readonly fileRows?: number;
  /** A day above this is split. */
  readonly dayRows?: number;
  /** Bytes of a file's rows, at most. */
  readonly fileBytes?: number;
}

/** What a merge says is the footer; nobody reads it. */
const FOOTER = Buffer.from("a footer of a file that is none");

/** What the real store answers for an object that is not there. */
export class FileMissing extends Error {
  override readonly name = "FileMissing";
}

/** Row files whose rows are lists in memory; a second implementation of the port, for the simulation and for counting. */
export const memoryRowFiles = (objects: Objects, store: NumberedRows, options: MemoryRowFilesOptions): RowFiles => {
  const sizes = { fileRows: 250_000, dayRows: 1_000_000, fileBytes: Number.POSITIVE_INFINITY, ...options };

  const write = async (rows: readonly EventRow[]): Promise<WrittenFile> => {
    const sorted = [...rows].sort(byPlace);
    const content = store.add(sorted);
    return {
      content,
      bytes: content.length,
      plainBytes: bytesOf(sorted),
      ...factsOf(sorted),
      usage: options.countUsage(sorted),
      footerBytes: 0,
    };
  };

  const put = async (key: string, rows: readonly EventRow[]): Promise<FileFacts> => {
    const { content, ...facts } = await write(rows);
    await objects.put(key, content);
    return { key, ...facts, footerBytes: FOOTER.length, footer: FOOTER.toString("base64") };
  };

  return {
    write,
    // The platform's own memory of what was compared, so that schedules show what is wrong with it.
    duplicates: openDuplicateFinder(compareLists(objects, store)).find,
    async sightings({ file, skip }) {
      return findSightings(await readRows(objects, store, file), skip);
    },
    async matching(_project, files, match) {
      const found = new Map<string, readonly number[]>();
      for (const file of files) {
        const places = (await readRows(objects, store, file)).flatMap((row, at) => (matches(row, match) ? [at] : []));
        if (places.length > 0) found.set(file.key, places);
      }
      return found;
    },
    async readMatching(_project, sources, match, events, take) {
      for (const source of sources) {
        const rows = (await kept(objects, store, source)).filter((row) => matches(row, match));
        take(rows.filter(({ event }) => events === "all" || GROUP_IDENTIFY.has(event)));
      }
    },
    async countMatching(_project, sources, match) {
      const rows = (await Promise.all(sources.map((source) => kept(objects, store, source)))).flat().filter((row) => matches(row, match));
      const kinds = Map.groupBy(rows, ({ timestamp, distinct_id, person_mode }) =>
        JSON.stringify([utcDay(timestamp), distinct_id, person_mode]),
      );
      return [...kinds.values()].flatMap(([row, ...others]): MatchingCount[] =>
        row ? [{ day: utcDay(row.timestamp), distinct_id: row.distinct_id, person_mode: row.person_mode, rows: others.length + 1 }] : [],
      );
    },
    async usageLeft(_project, sources) {
      return Promise.all(sources.map(async (source) => options.countUsage(await kept(objects, store, source))));
    },
    async recount(_project, file) {
      return options.countUsage(await kept(objects, store, { file, skip: skippedPlaces(file) }));
    },
    async merge(_project, sources, shape, name, earned = []) {
      const rows: EventRow[] = [];
      for (const source of sources) rows.push(...(await kept(objects, store, source)));
      if (rows.length === 0) return [];
      const groups =
        bytesOf(rows) <= sizes.fileBytes && (shape === "one" || shape === "busiest") ? asOne(rows, shape) : wholeDays(rows, shape, sizes);
      const written: FileFacts[] = [];
      const columns = earned.length > 0 && { earned: earned.map(({ column }) => column) };
      for (const group of groups) written.push({ ...(await put(name(), group)), ...columns });
      return written;
    },
  };
};

const matches = ({ distinct_id, request, event }: EventRow, { ids = [], erased, imports = [], groupEvents }: RowMatch): boolean =>
  ids.includes(distinct_id) ||
  (erased?.digests.includes(erasedDigest(erased.salt, distinct_id)) ?? false) ||
  imports.includes(importOfRequest(request)) ||
  (groupEvents === true && GROUP_IDENTIFY.has(event));

const compareLists =
  (objects: Objects, store: RowLists): CompareRows =>
  async (_project, { segments, others }) => {
    const rowsOf = new Map<string, readonly PlacedRow[]>();
    for (const file of [...segments, ...others.map((other) => other.file)]) {
      const gone = new Set(skippedPlaces(file));
      if (!rowsOf.has(file.key))
        rowsOf.set(
          file.key,
          (await readRows(objects, store, file)).map((row, at) => ({ row, at })).filter(({ at }) => !gone.has(at)),
        );
    }
    return segments.flatMap(({ key }) =>
      others.filter(({ file }) => file.key !== key).flatMap((other) => sharedBy(key, other.file.key, other.waiting, rowsOf)),
    );
  };

interface PlacedRow {
  readonly row: EventRow;
  readonly at: number;
}

/** The rows of two files that are copies of one another: those of the segment, or, beside another segment, those of the later one. */
const sharedBy = (
  segment: string,
  other: string,
  waiting: boolean,
  rowsOf: ReadonlyMap<string, readonly PlacedRow[]>,
): readonly SharedRows[] => {
  const places = new Map((rowsOf.get(other) ?? []).map((placed) => [identityOf(placed.row), placed]));
  const own: number[] = [];
  const theirs: number[] = [];
  for (const { row, at } of rowsOf.get(segment) ?? []) {
    const copy = places.get(identityOf(row));
    if (!copy) continue;
    const isLater = isLess(copy.row, row) || (!isLess(row, copy.row) && other < segment);
    if (!waiting || isLater) own.push(at);
    else theirs.push(copy.at);
  }
  return [
    { segment, other, waiting, rows: own },
    { segment: other, other: segment, waiting: true, rows: theirs },
  ].filter(({ rows }) => rows.length > 0);
};

/** A file's rows, in its order. Throws `FileMissing` when its object is gone. */
export const readRows = async (objects: Objects, store: RowLists, { key }: Pick<FileFacts, "key">): Promise<readonly EventRow[]> =>
  storedRows(await objects.get(key), store, key);

/** The rows behind the content of an object. */
export const storedRows = (content: Uint8Array | undefined, store: RowLists, key: string): readonly EventRow[] => {
  if (content === undefined) throw new FileMissing(key);
  const rows = store.rowsIn(content);
  if (rows === undefined) throw new Error(`${key} is no file of rows`);
  return rows;
};

const kept = async (objects: Objects, store: RowLists, { file, skip }: RowSource): Promise<readonly EventRow[]> => {
  const rows = await readRows(objects, store, file);
  if (skip.length === 0) return rows;
  const gone = new Set(skip);
  return rows.filter((_, at) => !gone.has(at));
};

/** The text that two copies of one event share (within a project). */
export const identityOf = (row: Pick<EventRow, "timestamp" | "event" | "distinct_id" | "uuid">): string =>
  JSON.stringify([utcDay(row.timestamp), row.event.toWellFormed(), row.distinct_id.toWellFormed(), row.uuid]);

const isLess = (a: EventRow, b: EventRow): boolean => {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at;
  if (a.request !== b.request) return a.request < b.request;
  return a.index < b.index;
};

const byPlace = (a: EventRow, b: EventRow): number => {
  const [left, right] = [a.distinct_id.toWellFormed(), b.distinct_id.toWellFormed()];
  if (left !== right) return left < right ? -1 : 1;
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0;
};

const factsOf = (sorted: readonly EventRow[]): Pick<FileFacts, "rows" | "days" | "times" | "ids" | "events"> => {
  let least = sorted[0]?.timestamp ?? 0n;
  let most = least;
  const names = new Set<string>();
  for (const { timestamp, event } of sorted) {
    if (timestamp < least) least = timestamp;
    if (timestamp > most) most = timestamp;
    names.add(event.toWellFormed());
  }
  const bound = (row: EventRow | undefined): string => (row?.distinct_id ?? "").toWellFormed().slice(0, MAX_BOUND_LENGTH);
  return {
    rows: sorted.length,
    days: [utcDay(least), utcDay(most)],
    times: [String(least), String(most)],
    ids: [bound(sorted[0]), bound(sorted.at(-1))],
    events: names.size > MAX_EVENT_NAMES ? null : [...names].sort(),
  };
};

/** About how many files a merge into parts makes. */
const PARTS = 32;

/** All rows together; around the busiest day in three, where one day has more than half of them. */
const asOne = (rows: readonly EventRow[], shape: "one" | "busiest"): readonly (readonly EventRow[])[] => {
  const days = Map.groupBy(rows, ({ timestamp }) => utcDay(timestamp));
  const busiest = [...days].find(([, own]) => own.length > rows.length / 2)?.[0];
  if (shape === "one" || busiest === undefined) return [rows];
  return [...Map.groupBy(rows, ({ timestamp }) => Math.sign(utcDay(timestamp) - busiest)).values()];
};

/** Whole days put together, as the port says; a day that is too much is cut into runs of (distinct_id, timestamp, …). */
const wholeDays = (
  rows: readonly EventRow[],
  shape: Shape,
  { fileRows, dayRows, fileBytes }: Required<Omit<MemoryRowFilesOptions, "countUsage">>,
): readonly (readonly EventRow[])[] => {
  const most = shape === "parts" ? Math.min(fileBytes, bytesOf(rows) / PARTS) : fileBytes;
  const fits = (group: readonly EventRow[]): boolean => group.length <= fileRows && bytesOf(group) <= most;
  const days = [...Map.groupBy(rows, ({ timestamp }) => utcDay(timestamp))].sort(([a], [b]) => a - b).map(([, own]) => own);
  return joined(days, fits).flatMap((group) => {
    if (group.length <= dayRows && bytesOf(group) <= fileBytes) return [group];
    const single = group.toSorted(byPlace).map((row) => [row]);
    return joined(single, (run) => run.length <= dayRows && bytesOf(run) <= fileBytes);
  });
};

/** Neighbours put together as long as they fit. */
const joined = (lists: readonly (readonly EventRow[])[], fits: (group: readonly EventRow[]) => boolean): readonly EventRow[][] => {
  const groups: EventRow[][] = [];
  for (const list of lists) {
    const last = groups.at(-1);
    if (last && fits([...last, ...list])) last.push(...list);
    else groups.push([...list]);
  }
  return groups;
};

const bytesOf = (rows: readonly EventRow[]): number => rows.reduce((sum, row) => sum + rowBytes(row), 0);
