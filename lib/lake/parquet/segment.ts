import { EVENT_FORMAT, type EventRow, GROUP_SLOTS, HOT, utcDay } from "../../event/event.ts";
import type { Countable, DayCounts } from "../../event/usage-types.ts";
import { MAX_BOUND, MAX_NAMES, ROW_BYTES } from "./facts.ts";
import { parquetFile } from "./parquet.ts";
import type { Column } from "./parquet-pages.ts";
import type { RowFiles, Written } from "./row-files.ts";

/** Counts what a set of rows adds to a project's usage, per UTC day and usage type. */
export type CountUsage = (rows: readonly Countable[]) => DayCounts;

/** What ingest needs of the row files, without the engine. */
export const segmentFiles = (countUsage: CountUsage): Pick<RowFiles, "write"> => ({ write: (rows) => writeSegment(rows, countUsage) });

/** A Parquet file of rows, at least one, sorted by (distinct_id, timestamp), written without native code. */
export const writeSegment = async (rows: readonly EventRow[], countUsage: CountUsage): Promise<Written> => {
  const { sorted, ids } = sortRows(rows);
  const { content, footerBytes } = await parquetFile(columnsOf(sorted, ids), sorted.length, { v: String(EVENT_FORMAT) });
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

/** Filled row by row: rows lie scattered in memory, so that visiting each once for all columns is several times as fast. */
const columnsOf = (rows: readonly EventRow[], ids: readonly string[]): Column[] => {
  const count = rows.length;
  const [uuid, event, person, mode, elements, properties, request] = [texts(), texts(), texts(), texts(), texts(), texts(), texts()];
  const [session, window] = [optionals(), optionals()];
  const groups = Array.from({ length: GROUP_SLOTS }, optionals);
  const [timestamp, created, identity] = [new BigInt64Array(count), new BigInt64Array(count), new BigInt64Array(count)];
  const historical: boolean[] = [];
  const index = new Int32Array(count);
  for (const [at, row] of rows.entries()) {
    uuid.push(row.uuid);
    event.push(row.event);
    person.push(row.person_id);
    timestamp[at] = row.timestamp;
    created[at] = row.created_at;
    identity[at] = row.identity;
    mode.push(row.person_mode);
    historical.push(row.historical);
    session.push(row.session_id);
    window.push(row.window_id);
    for (let slot = 0; slot < GROUP_SLOTS; slot++) groups[slot]?.push(row.groups[slot] ?? null);
    elements.push(row.elements_chain);
    properties.push(row.properties);
    request.push(row.request);
    index[at] = row.index;
  }
  return [
    { name: "uuid", kind: "uuid", values: uuid, repeats: false },
    text("event", event),
    text("distinct_id", ids),
    { name: "person_id", kind: "uuid", values: person, repeats: true },
    { name: "timestamp", kind: "timestamp", values: timestamp },
    { name: "created_at", kind: "timestamp", values: created },
    { name: "identity", kind: "int64", values: identity },
    text("person_mode", mode),
    { name: "historical", kind: "boolean", values: historical },
    optional("session_id", session),
    optional("window_id", window),
    ...groups.map((values, slot) => optional(`group_${slot}`, values)),
    text("elements_chain", elements),
    ...hotColumns(rows),
    { name: "properties", kind: "utf8", values: properties, nullable: false, repeats: false },
    text("request", request),
    { name: "index", kind: "int32", values: index },
  ];
};

const texts = (): string[] => [];
const optionals = (): (string | null)[] => [];

const text = (name: string, values: readonly string[]): Column => ({ name, kind: "utf8", values, nullable: false, repeats: true });
const optional = (name: string, values: readonly (string | null)[]): Column => ({
  name,
  kind: "utf8",
  values,
  nullable: true,
  repeats: true,
});

const hotColumns = (rows: readonly EventRow[]): readonly Column[] => {
  const texts = HOT.map((): (string | null)[] => []);
  const numbers = HOT.map((): (number | null)[] => []);
  for (const { hot } of rows) {
    for (let at = 0; at < HOT.length; at++) {
      const value = hot[at];
      if (HOT[at]?.type === "text") texts[at]?.push(typeof value === "string" ? value : null);
      else numbers[at]?.push(typeof value === "number" ? value : null);
    }
  }
  return HOT.map(
    ({ column, type }, at): Column =>
      type === "text"
        ? { name: column, kind: "utf8", values: texts[at] ?? [], nullable: true, repeats: true }
        : { name: column, kind: "double", values: numbers[at] ?? [] },
  );
};
