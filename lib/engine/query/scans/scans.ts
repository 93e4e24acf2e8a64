import { RECORDINGS } from "../../../event/recordings.ts";
import type { EventScan, ListScan, Scan, TableScan } from "../../../hogql/lowered-query.ts";
import type { FileFacts, PinnedState } from "../../../lake/catalogue.ts";
import { planEvents } from "../../../lake/pin.ts";
import { seenSources } from "../../../lake/removals.ts";
import type { RowFiles, RowSource } from "../../../lake/row-files.ts";
import { countsRecordings } from "../../../usage/day-counts.ts";
import type { Databases } from "../../duckdb/databases.ts";
import { literal, quoteName, readParquet } from "../../duckdb/sql-text.ts";
import { listFile } from "../../list-file.ts";
import { alikePlaces, storedColumns } from "../../pinned-files.ts";
import { type LocalFiles, release, type WantedFile } from "../../storage/local-files.ts";
import { openRelation, type Relation, split } from "../../storage/relation.ts";
import { type BoundScan, columnTypes, earnedTypes, emptyRelation, type FetchMode, selectList } from "./scan-sql.ts";
import type { StateScans } from "./state-scan.ts";

/** The parts of the engine that a query runs on. */
export interface RunParts {
  readonly local: LocalFiles;
  readonly databases: Databases;
  /** Finds the rows that are not to be seen. */
  readonly seen: Pick<RowFiles, "duplicates" | "matching">;
  readonly state: StateScans;
}

/**
 * The relation of a scan over the pinned state. A scan of which nothing can match becomes an empty relation of its types. `mostBytes` are
 * those of the files of events that are wanted first, where the others may be left out.
 */
export const bindScan = async (
  parts: RunParts,
  pinned: PinnedState,
  scan: Scan,
  fetch: FetchMode,
  mostBytes: number = Number.POSITIVE_INFINITY,
): Promise<BoundScan> => {
  switch (scan.kind) {
    case "events":
      return bindEvents(parts, pinned, scan, fetch, mostBytes);
    case "table":
      return bindTable(parts, pinned.project, scan, fetch);
    case "list":
      return bindList(parts, pinned.project, scan);
    default:
      return parts.state.bind(pinned, scan, fetch);
  }
};

/** A table of its own is one file: where it is not small, the columns that are read of it; a small one is kept, since more will be asked of it. */
const bindTable = async (
  { local }: RunParts,
  project: number,
  { name, key, bytes, columns }: TableScan,
  fetch: FetchMode,
): Promise<BoundScan> => {
  const isSmall = bytes <= WHOLE_TABLE_BYTES;
  const held = await local.hold(project, [{ key, bytes, columns: fetch === "whole" || isSmall ? "all" : columns }]);
  const list = columns.length === 0 ? "1 AS one" : columns.map(quoteName).join(", ");
  const path = held.path(key);
  const release = (): void => held.release();
  if (fetch === "whole" || !isSmall) return { ...held, name, body: `SELECT ${list} FROM ${readParquet([path])}`, release };
  return { ...held, name, body: `SELECT ${list} FROM ${quoteName(path)}`, kept: path, release };
};

/** A list becomes a file beside those of the lake, under its digest, so that runs with the same list share it. */
const bindList = async ({ local }: RunParts, project: number, { name, columns, list }: ListScan): Promise<BoundScan> => {
  const types = new Map(list.columns.map((column) => [column.name, column.kind === "time" ? "TIMESTAMPTZ" : "VARCHAR"]));
  if (list.rows === 0) return nothing(name, emptyRelation(columns, types));
  const file = `list-${list.digest}.parquet`;
  const held = await local.holdBytes(project, file, () => listFile(list));
  return {
    ...held,
    name,
    body: `SELECT ${selectList(columns, types)} FROM ${readParquet([held.path(file)])}`,
    release: () => held.release(),
  };
};

/** Up to this size one request for all of a table is cheaper than one for its footer and one for its columns. */
const WHOLE_TABLE_BYTES = 4_194_304;

const bindEvents = async (
  parts: RunParts,
  pinned: PinnedState,
  scan: EventScan,
  fetch: FetchMode,
  mostBytes: number,
): Promise<BoundScan> => {
  const { project } = pinned;
  const plan = planEvents(pinned, scan);
  const all = inTime(await seenSources(parts.seen, project, plan, pinned.removals), scan);
  const sources = firstSources(parts.local, all, scan, mostBytes);
  const isPart = sources.length < all.length;
  const shares = fileShares(sources, scan);
  const { clean, dirty } = split(shares.flatMap((share) => share.sources));
  const read = [...clean.map((file): RowSource => ({ file, skip: [] })), ...dirty];
  const { earned = [] } = scan;
  const listed = [...scan.columns, ...earned.map(({ column }) => column)];
  if (read.length === 0) {
    const types = new Map([...columnTypes("events"), ...earnedTypes(earned)]);
    return { ...nothing(scan.name, emptyRelation(listed, types)), isPart };
  }
  using holds = new DisposableStack();
  const resolved = scan.columns.includes("person_id") ? await identityMap(parts, pinned, fetch) : undefined;
  if (resolved) holds.adopt(resolved, release);
  const reads = { columns: resolved ? [...new Set([...scan.columns, "distinct_id"])] : scan.columns, earned };
  const asked = new Map(shares.flatMap(({ sources: some, asks }) => some.map(({ file }) => [file.key, asks] as const)));
  const wanted = read.map((source): WantedFile => {
    const { file } = source;
    if (fetch === "whole") return { ...file, source, columns: "all" };
    const stored = storedColumns(reads, alikePlaces(reads, file));
    return { ...file, source, columns: [...stored, ...(asked.get(file.key) ?? [])] };
  });
  const held = holds.adopt(await parts.local.hold(project, wanted), release);
  const relations: Relation[] = [];
  for (const share of shares)
    relations.push(holds.adopt(await openRelation(parts.local, project, share.sources, held, reads, share.condition), release));
  const rows = relations.flatMap(({ selects }) => selects).join(" UNION ALL ");
  const body = resolved ? withPersons(rows, listed, resolved.body) : rows;
  const kept = holds.move();
  return {
    name: scan.name,
    body,
    fetchedBytes: held.fetchedBytes + (resolved?.fetchedBytes ?? 0),
    neededBytes: held.neededBytes + (resolved?.neededBytes ?? 0),
    isPart,
    release: () => kept.dispose(),
  };
};

/**
 * The sources in the order in which their rows are wanted. With a LIMIT the engine then leaves out what lies behind the rows that it
 * has: of a person's newest hundred events in a year it reads the last files alone.
 */
const inTime = (sources: readonly RowSource[], { first }: EventScan): readonly RowSource[] => {
  if (first === undefined) return sources;
  const spans = sources.map((source) => ({ source, ...spanOf(source.file, first) }));
  return spans.sort((a, b) => (a.near < b.near ? -1 : a.near > b.near ? 1 : 0)).map(({ source }) => source);
};

/** Where the rows of a file lie in an order by time, the first of which have the least numbers. */
const spanOf = ({ times: [from, to] }: FileFacts, first: "oldest" | "newest"): { readonly near: bigint; readonly far: bigint } =>
  first === "oldest" ? { near: BigInt(from), far: BigInt(to) } : { near: -BigInt(to), far: -BigInt(from) };

/** A part of the sources is worth a try of its own where it is at most so much of all. */
export const LARGEST_PART = 1 / 8;

/**
 * Of sources in the order in which their rows are wanted the first, of so many bytes or a few more: no row of theirs comes behind one of the
 * others. All of them where none has to be fetched.
 */
const firstSources = (
  local: Pick<LocalFiles, "isInPlace">,
  sources: readonly RowSource[],
  { first }: EventScan,
  mostBytes: number,
): readonly RowSource[] => {
  const all = sources.reduce((sum, { file }) => sum + file.bytes, 0);
  if (first === undefined || mostBytes > all * LARGEST_PART) return sources;
  if (sources.every(({ file }) => local.isInPlace(file.key))) return sources;
  let bytes = 0;
  let reach: bigint | undefined;
  for (const [at, { file }] of sources.entries()) {
    const { near, far } = spanOf(file, first);
    if (bytes >= mostBytes && reach !== undefined && near > reach) return sources.slice(0, at);
    bytes += file.bytes;
    if (reach === undefined || far > reach) reach = far;
  }
  return sources;
};

/** Sources that are read alike: what must hold for their rows, and the columns that this asks for. */
interface Share {
  readonly sources: readonly RowSource[];
  readonly condition: string | false;
  readonly asks: readonly string[];
}

/** The sources by whether all of their rows are in the scan's range, and whether there are rows among them that no query shows. */
const fileShares = (sources: readonly RowSource[], scan: EventScan): readonly Share[] => {
  const { inside, border } = byRange(sources, scan);
  const cut: Condition[] = scan.boundsAreExact ? [{ holds: withinRange(scan), column: "timestamp" }] : [];
  const asksForRecordings = scan.events === null || scan.events.some((name) => RECORDINGS.includes(name));
  return [share(inside, []), share(border, cut)].flatMap(({ sources: some, conditions }) => {
    const counting = asksForRecordings ? some.filter(({ file }) => countsRecordings(file)) : [];
    return [
      { sources: some.filter((source) => !counting.includes(source)), ...joinConditions(conditions) },
      { sources: counting, ...joinConditions([...conditions, NO_RECORDING]) },
    ].filter(({ sources: any }) => any.length > 0);
  });
};

interface Condition {
  readonly holds: string;
  readonly column: string;
}

const share = (sources: readonly RowSource[], conditions: readonly Condition[]) => ({ sources, conditions });

const joinConditions = (conditions: readonly Condition[]): Omit<Share, "sources"> => ({
  condition: conditions.length > 0 && conditions.map(({ holds }) => holds).join(" AND "),
  asks: conditions.map(({ column }) => column),
});

/** Rows that count recorded sessions are no events of anybody. */
const NO_RECORDING: Condition = { holds: `event NOT IN (${RECORDINGS.map(literal).join(", ")})`, column: "event" };

/** Sources all of whose rows lie in the scan's range, and those of which only some may. */
const byRange = (
  sources: readonly RowSource[],
  { from, to }: EventScan,
): { readonly inside: readonly RowSource[]; readonly border: readonly RowSource[] } => {
  const inside: RowSource[] = [];
  const border: RowSource[] = [];
  for (const source of sources) {
    const first = BigInt(source.file.times[0]);
    const last = BigInt(source.file.times[1]);
    if ((from !== null && last < from) || (to !== null && first >= to)) continue;
    if ((from === null || first >= from) && (to === null || last < to)) inside.push(source);
    else border.push(source);
  }
  return { inside, border };
};

/** Every bound lies within the times of a file that is on the border, or is so far off that clamping it changes nothing. */
const withinRange = ({ from, to }: EventScan): string =>
  [...(from === null ? [] : [`timestamp >= ${stamp(from)}`]), ...(to === null ? [] : [`timestamp < ${stamp(to)}`])].join(" AND ");

const stamp = (micros: bigint): string => {
  const clamped = micros < LEAST_TIME_US ? LEAST_TIME_US : micros > MOST_TIME_US ? MOST_TIME_US : micros;
  return `make_timestamptz(${clamped}::BIGINT)`;
};

/** The first microsecond of year 0 and the first after year 9999: no event lies outside, and the engine's type goes further. */
const LEAST_TIME_US = -62_167_219_200_000_000n;
const MOST_TIME_US = 253_402_300_800_000_000n;

/** Events with the person that the identity map gives for their distinct_id; most ids are their own person and not in it. */
const withPersons = (rows: string, columns: readonly string[], map: string): string => {
  const list = columns.map((column) =>
    column === "person_id" ? "coalesce(m.person_id, e.person_id) AS person_id" : `e.${quoteName(column)}`,
  );
  return `SELECT ${list.join(", ")} FROM (${rows}) e LEFT JOIN (${map}) m ON m.distinct_id = e.distinct_id`;
};

const identityMap = async (parts: RunParts, pinned: PinnedState, fetch: FetchMode): Promise<BoundScan | undefined> => {
  if (!(await parts.state.hasIdentities(pinned))) return undefined;
  return parts.state.identities(pinned, fetch);
};

const nothing = (name: string, body: string): BoundScan => ({ name, body, fetchedBytes: 0, neededBytes: 0, release: () => undefined });
