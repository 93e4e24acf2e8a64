import { DAY_US } from "../core/time.ts";
import type { Expr } from "../hogql/ast.ts";
import { arithmetic, call, compare, constant, every, field, from, moment, select, tuple } from "../hogql/build.ts";
import { QueryError } from "../hogql/errors.ts";
import { lower } from "../hogql/lower.ts";
import type { FileFacts, PinnedState } from "../lake/catalogue.ts";
import { type EventRange, planEvents } from "../lake/pin.ts";
import type { Cell, Engine } from "./engine.ts";

/** An event as it is stored: what makes it itself, and all that was said of it. */
export interface StoredEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  /** Microseconds since 1970. */
  readonly timestamp: bigint;
  /** JSON text, numbers to their last digit. */
  readonly properties: string;
}

/** Events of whole UTC days. */
export interface EventsOfDays {
  /** First and last day since 1970. */
  readonly days: readonly [number, number];
  /** Only of these names; null for all. */
  readonly events: readonly string[] | null;
}

/** Some days whose events are read together, and about how many bytes and rows those are. */
export interface DaysPart {
  readonly days: readonly [number, number];
  readonly rows: number;
  readonly bytes: number;
}

/** What is held in memory at once, as JSON; an event is far smaller. */
const SLICE_BYTES = 16_777_216;
const MOST_SLICE_BYTES = 4 * SLICE_BYTES;

/** Bytes of a row where its file does not say. */
const ROW_BYTES = 700;

/** One query may read many files of one day. */
const QUERY_MS = 600_000;

const MOST_ROWS = 10_000_000;

/**
 * The days of a pinned state that may have events, put together until they are worth a reading. What a file holds is taken as spread
 * over its days.
 */
export const daysWithEvents = (pinned: PinnedState, { days: [first, last], events }: EventsOfDays): readonly DaysPart[] => {
  const range: EventRange = { from: BigInt(first) * DAY_US, to: BigInt(last + 1) * DAY_US, events, distinctIds: null };
  const { files, waiting } = planEvents(pinned, range);
  const all = [...files, ...waiting].map((file) => spread(file, first, last));
  const bounds = [...new Set(all.flatMap(({ from: start, to: end }) => [start, end]))].sort((a, b) => a - b);
  const parts: DaysPart[] = [];
  for (const [at, start] of bounds.entries()) {
    const end = bounds[at + 1];
    if (end === undefined) break;
    const here = all.filter((file) => file.from <= start && file.to >= end);
    if (here.length === 0) continue;
    const sum = (pick: (file: Spread) => number): number => here.reduce((total, file) => total + pick(file), 0);
    addDays(parts, [start, end], { rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) });
  }
  return parts;
};

/** A file's rows and bytes a day, on its days from one to before another. */
interface Spread {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly bytes: number;
}

const spread = ({ days: [first, last], rows, plainBytes = rows * ROW_BYTES }: FileFacts, least: number, most: number): Spread => {
  const count = last - first + 1;
  return { from: Math.max(first, least), to: Math.min(last, most) + 1, rows: rows / count, bytes: plainBytes / count };
};

/** Adds days of one density: to the part before while that has room, else as parts of their own. */
const addDays = (parts: DaysPart[], [start, end]: readonly [number, number], daily: Pick<Spread, "rows" | "bytes">): void => {
  for (let day = start; day < end; ) {
    const before = parts.at(-1);
    const room = Math.floor((SLICE_BYTES - (before?.bytes ?? SLICE_BYTES)) / daily.bytes);
    const joins = before !== undefined && room >= 1;
    const count = Math.min(end - day, joins ? room : Math.max(1, Math.floor(SLICE_BYTES / daily.bytes)));
    const added = { rows: daily.rows * count, bytes: daily.bytes * count };
    if (joins) {
      parts[parts.length - 1] = {
        days: [before.days[0], day + count - 1],
        rows: before.rows + added.rows,
        bytes: before.bytes + added.bytes,
      };
    } else parts.push({ days: [day, day + count - 1], ...added });
    day += count;
  }
};

/**
 * The events of a part as queries over a pinned state see them, without copies, some at a time: as many as fit into memory, however
 * many a day or a distinct_id has. Throws `GoneFile` where the state is too old to be read.
 */
export async function* storedEvents(
  engine: Pick<Engine, "run">,
  pinned: PinnedState,
  part: DaysPart,
  events: readonly string[] | null,
): AsyncGenerator<readonly StoredEvent[]> {
  const reader = readerOf(engine, pinned, events);
  const whole: Slice = { from: BigInt(part.days[0]) * DAY_US, to: BigInt(part.days[1] + 1) * DAY_US, ids: [null, null] };
  for (const slice of await reader.slices(whole, part)) yield* reader.rows(slice);
}

/** Rows within times, in microseconds, and within distinct_ids; the second of each pair is not in it. */
interface Slice {
  readonly from: bigint;
  readonly to: bigint;
  readonly ids: readonly [string | null, string | null];
}

const readerOf = (engine: Pick<Engine, "run">, pinned: PinnedState, events: readonly string[] | null) => {
  const options = {
    project: pinned.project,
    timezone: "UTC",
    now: 0,
    variables: {},
    page: null,
    maxRows: MOST_ROWS,
    defaultRows: MOST_ROWS,
  };
  const limits = { engine: "embedded", timeMs: QUERY_MS, maxRows: MOST_ROWS, maxReplyBytes: MOST_SLICE_BYTES } as const;
  const query = async (tree: Parameters<typeof lower>[0]): Promise<readonly (readonly Cell[])[]> =>
    (await engine.run(lower(tree, options).lowered, pinned, limits)).rows;

  const slices = async (whole: Slice, { rows, bytes }: DaysPart): Promise<readonly Slice[]> => {
    const count = Math.ceil(bytes / SLICE_BYTES);
    if (count <= 1) return [whole];
    const found = await query(idsAtEach(Math.max(1, Math.ceil(rows / count)), whole, events));
    const bounds = [null, ...found.map(([id]) => String(id)), null];
    return bounds.slice(1).map((end, at) => ({ ...whole, ids: [bounds[at] ?? null, end] as const }));
  };

  async function* rows(slice: Slice): AsyncGenerator<readonly StoredEvent[]> {
    const read = await query(select(COLUMNS, { from: from("events"), where: within(slice, events) })).catch(tooManyFor(slice));
    if (read !== TOO_MANY) {
      if (read.length > 0) yield read.map(storedEvent);
      return;
    }
    const middle = slice.from + (slice.to - slice.from) / 2n;
    yield* rows({ ...slice, to: middle });
    yield* rows({ ...slice, from: middle });
  }

  return { slices, rows };
};

const TOO_MANY = Symbol("too many rows for one slice");

/** What is too large to be read at once is read in halves of its time; what has one moment alone cannot be. */
const tooManyFor =
  ({ from: start, to: end }: Slice) =>
  (thrown: unknown): typeof TOO_MANY => {
    if (thrown instanceof QueryError && thrown.code === "query_too_large" && end - start > 1n) return TOO_MANY;
    throw thrown;
  };

const TIME = call("toUnixTimestamp64Micro", field("timestamp"));

const COLUMNS = [field("uuid"), field("event"), field("distinct_id"), call("toString", TIME), field("properties")];

const storedEvent = ([uuid, event, distinct_id, timestamp, properties]: readonly Cell[]): StoredEvent => ({
  uuid: String(uuid),
  event: String(event),
  distinct_id: String(distinct_id),
  timestamp: BigInt(String(timestamp)),
  properties: String(properties),
});

const within = ({ from: start, to: end, ids: [first, last] }: Slice, events: readonly string[] | null): Expr =>
  every([
    compare(">=", field("timestamp"), moment(start)),
    ...(end >= END_OF_TIMES ? [] : [compare("<", field("timestamp"), moment(end))]),
    ...(events === null ? [] : [compare("in", field("event"), tuple(events.map((name) => constant(name))))]),
    ...(first === null ? [] : [compare(">=", field("distinct_id"), constant(first))]),
    ...(last === null ? [] : [compare("<", field("distinct_id"), constant(last))]),
  ]);

/** The distinct_ids that each so many rows begin with, but for the first, in order. */
const idsAtEach = (rows: number, whole: Slice, events: readonly string[] | null) =>
  select([field("id")], {
    distinct: true,
    from: from(
      select(
        [
          { kind: "alias", name: "id", item: field("distinct_id") },
          { kind: "alias", name: "place", item: { kind: "window", name: "row_number", args: [], over: BY_ID } },
        ],
        { from: from("events"), where: within(whole, events) },
      ),
    ),
    where: compare("==", arithmetic("%", field("place"), constant(rows)), constant(0)),
    orderBy: [{ expr: field("id"), descending: false, nulls: "last" }],
  });

/** No event is later, and no query can name this moment. */
const END_OF_TIMES = BigInt(Date.UTC(10_000, 0)) * 1_000n;

const BY_ID = { partitionBy: [], orderBy: [{ expr: field("distinct_id"), descending: false, nulls: "last" as const }] };
