import { hasRareValue } from "../../event/columns.ts";
import { EVENT_FORMAT, type EventRow } from "../../event/event.ts";
import { utcDay } from "../../event/time-partitions.ts";
import type { Countable, DayCounts } from "../../usage/day-counts.ts";
import { eventColumns } from "./event-columns.ts";
import { MAX_BOUND, MAX_NAMES, ROW_BYTES } from "./facts.ts";
import { parquetFile } from "./parquet.ts";
import type { RowFiles, WrittenFile } from "./row-files.ts";

/** Counts what a set of rows adds to a project's usage, per UTC day and usage type. */
export type CountUsage = (rows: readonly Countable[]) => DayCounts;

/** What ingest needs of the row files, without the engine. */
export const segmentFiles = (countUsage: CountUsage): Pick<RowFiles, "write"> => ({ write: (rows) => writeSegment(rows, countUsage) });

/** A Parquet file of rows, at least one, sorted by (distinct_id, timestamp), written without native code. */
export const writeSegment = async (rows: readonly EventRow[], countUsage: CountUsage): Promise<WrittenFile> => {
  const { sorted, ids } = sortRows(rows);
  const rare = sorted.some(hasRareValue);
  const { content, footerBytes } = await parquetFile(eventColumns(sorted, { rare }), sorted.length, { v: String(EVENT_FORMAT) });
  const [first, last] = timesOf(sorted);
  return {
    content,
    bytes: content.length,
    rows: sorted.length,
    plainBytes: sorted.reduce((sum, row) => sum + rowBytes(row), 0),
    days: [utcDay(first), utcDay(last)],
    times: [String(first), String(last)],
    ids: [(ids[0] ?? "").slice(0, MAX_BOUND), (ids.at(-1) ?? "").slice(0, MAX_BOUND)],
    events: namesOf(sorted),
    usage: countUsage(rows),
    rare,
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

const timesOf = (rows: readonly EventRow[]): readonly [bigint, bigint] => {
  let least = rows[0]?.timestamp ?? 0n;
  let most = least;
  for (const { timestamp } of rows) {
    if (timestamp < least) least = timestamp;
    else if (timestamp > most) most = timestamp;
  }
  return [least, most];
};

const namesOf = (rows: readonly EventRow[]): readonly string[] | null => {
  const names = new Set<string>();
  for (const { event } of rows) {
    names.add(event.toWellFormed());
    if (names.size > MAX_NAMES) return null;
  }
  return [...names].sort();
};
