import { HOT, type HotProperty, RARE, type RareSet } from "./hot-properties.ts";

/** Group slots of a project: `$group_0` to `$group_4`. */
export const GROUP_SLOTS = 5;

export type PersonMode = "full" | "propertyless" | "force_upgrade";

/** One event as the lake stores it. Microseconds since 1970 are bigints: year 9999 does not fit a double. */
export interface EventRow {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  /** A hash of project and distinct_id in UUID form; merges are resolved when reading. */
  readonly person_id: string;
  /** Microseconds since 1970, UTC, signed. */
  readonly timestamp: bigint;
  /** The receive time, microseconds. */
  readonly created_at: bigint;
  /** 8-byte hash of (UTC day, event, distinct_id, uuid), as a signed 64-bit integer. */
  readonly identity: bigint;
  readonly person_mode: PersonMode;
  readonly historical: boolean;
  readonly session_id: string | null;
  readonly window_id: string | null;
  readonly groups: readonly (string | null)[];
  readonly elements_chain: string;
  /** The full properties as JSON text. */
  readonly properties: string;
  /** One value per entry of `HOT`, in its order. */
  readonly hot: readonly (string | number | null)[];
  /** Of two waiting copies of one identity, the least (created_at, request, index) stays. */
  readonly request: string;
  readonly index: number;
}

/**
 * Bumped when the columns or their meaning change; readers accept this and the one before. Files of format 2 have no rare columns of
 * exceptions, whatever their rows hold, and those of format 1 no rare ones at all.
 */
export const EVENT_FORMAT = 3;

/** The kind of a column's values; how it is written, what it is to the engine and how the language reads it follow from this. */
interface Kinds {
  readonly uuid: string;
  readonly text: string;
  /** Text that an event may lack; the language reads an empty one then. */
  readonly optional: string | null;
  /** A double; NULL where the event has none. */
  readonly number: number | null;
  /** Microseconds since 1970, UTC. */
  readonly timestamp: bigint;
  readonly int64: bigint;
  readonly int32: number;
  readonly boolean: boolean;
}
export type ColumnKind = keyof Kinds;

/** A column of the kind `K`, and what of a row stands in it. */
interface ColumnOf<K extends ColumnKind> {
  readonly name: string;
  readonly kind: K;
  /** The values hardly repeat, so that a dictionary of them saves nothing. */
  readonly unique?: true;
  /** Its name in the language as a member of `events`; absent where it cannot be named, or is read in a way of its own. */
  readonly member?: string;
  of(row: EventRow): Kinds[K];
}
type Column = { readonly [K in ColumnKind]: ColumnOf<K> }[ColumnKind];

/** The columns of every Parquet file of events that stand before the hot ones: writer, scans and language read this table. */
const FIRST = [
  { name: "uuid", kind: "uuid", unique: true, member: "uuid", of: (row) => row.uuid },
  { name: "event", kind: "text", member: "event", of: (row) => row.event },
  { name: "distinct_id", kind: "text", member: "distinct_id", of: (row) => row.distinct_id.toWellFormed() },
  { name: "person_id", kind: "uuid", of: (row) => row.person_id },
  { name: "timestamp", kind: "timestamp", member: "timestamp", of: (row) => row.timestamp },
  { name: "created_at", kind: "timestamp", member: "created_at", of: (row) => row.created_at },
  { name: "identity", kind: "int64", of: (row) => row.identity },
  { name: "person_mode", kind: "text", member: "person_mode", of: (row) => row.person_mode },
  { name: "historical", kind: "boolean", of: (row) => row.historical },
  { name: "session_id", kind: "optional", member: "$session_id", of: (row) => row.session_id },
  { name: "window_id", kind: "optional", member: "$window_id", of: (row) => row.window_id },
  { name: "group_0", kind: "optional", member: "$group_0", of: (row) => row.groups[0] ?? null },
  { name: "group_1", kind: "optional", member: "$group_1", of: (row) => row.groups[1] ?? null },
  { name: "group_2", kind: "optional", member: "$group_2", of: (row) => row.groups[2] ?? null },
  { name: "group_3", kind: "optional", member: "$group_3", of: (row) => row.groups[3] ?? null },
  { name: "group_4", kind: "optional", member: "$group_4", of: (row) => row.groups[4] ?? null },
  { name: "elements_chain", kind: "text", member: "elements_chain", of: (row) => row.elements_chain },
] as const satisfies readonly Column[];

/** The columns that stand behind the hot ones. */
const LAST = [
  { name: "properties", kind: "text", unique: true, of: (row) => row.properties },
  { name: "request", kind: "text", of: (row) => row.request },
  { name: "index", kind: "int32", of: (row) => row.index },
] as const satisfies readonly Column[];

/** Reads the value of the hot property at this place of `HOT`. */
const hotColumn = ({ column: name, type }: HotProperty, at: number): StoredColumn =>
  type === "text"
    ? { name, kind: "optional", of: ({ hot }) => textOrNull(hot[at]) }
    : { name, kind: "number", of: ({ hot }) => numberOrNull(hot[at]) };

const textOrNull = (value: string | number | null | undefined): string | null => (typeof value === "string" ? value : null);
const numberOrNull = (value: string | number | null | undefined): number | null => (typeof value === "number" ? value : null);

/** The name of a physical column of the event files. */
export type EventColumn = (typeof FIRST | typeof LAST)[number]["name"] | HotProperty["column"];

export type StoredColumn = Column & { readonly name: EventColumn };

/** All columns of Parquet files of events, in order; every file has those that are not rare. */
export const EVENT_COLUMNS: readonly StoredColumn[] = [...FIRST, ...HOT.map(hotColumn), ...LAST];

/** A hot property whose column is rare, and the set of columns that a file has with it. */
export type RareProperty = HotProperty & { readonly set: RareSet };

/** Names of the sets of rare columns. */
export const RARE_SETS: readonly RareSet[] = ["rare", "exceptions"];

/** The rare columns by their names: of each set a file has all or none. */
export const RARE_COLUMNS: ReadonlyMap<string, RareProperty> = new Map(
  RARE_SETS.flatMap((set) => RARE[set].map((hot): readonly [string, RareProperty] => [hot.column, { ...hot, set }])),
);

/** Which sets of rare columns a file has. */
export type RareFacts = Readonly<Record<RareSet, boolean>>;

/** The sets that rows need: one of them has a value for one of its columns. */
export const rareFacts = (rows: readonly EventRow[]): RareFacts => ({ rare: anyHas(rows, "rare"), exceptions: anyHas(rows, "exceptions") });

/** First and last place in `HOT` of each set's columns. */
const PLACES: Readonly<Record<RareSet, readonly [number, number]>> = {
  rare: [HOT.length - RARE.exceptions.length - RARE.rare.length, HOT.length - RARE.exceptions.length - 1],
  exceptions: [HOT.length - RARE.exceptions.length, HOT.length - 1],
};

const anyHas = (rows: readonly EventRow[], set: RareSet): boolean => {
  const [first, last] = PLACES[set];
  for (const { hot } of rows) for (let at = first; at <= last; at++) if (hot[at] !== null && hot[at] !== undefined) return true;
  return false;
};
