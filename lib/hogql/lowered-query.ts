import type { EarnedColumn } from "../event/earned-properties.ts";
import type { EventColumn } from "../event/event.ts";
import type { QUARTER_HOUR } from "../event/quarter-hours.ts";
import type { Ast } from "./ast.ts";
import type { LowerOptions } from "./options.ts";
import type { RowList } from "./row-list.ts";

/** Reads events. Every bound narrows what is fetched and may be wider than the query's own predicates, never narrower. */
export interface EventScan {
  readonly kind: "events";
  /**
   * The relation's name in the SQL text, where an engine defines it ahead of `Lowered.ctes`.
   */
  readonly name: string;
  /** The column of quarters of an hour never stands beside that of the times: the text then reads both from this one. */
  readonly columns: readonly (EventColumn | typeof QUARTER_HOUR)[];
  /** Further columns, which files may lack: what they would hold is in the JSON. Absent where there are none. */
  readonly earned?: readonly EarnedColumn[];
  /** Microseconds since 1970: from inclusive, to exclusive. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** The text has left conditions on the time out: only rows within `from` and `to` may be in the relation. */
  readonly boundsAreExact?: true;
  /** Which rows the query wants first. Absent where it asks for no order by the time. */
  readonly first?: "oldest" | "newest" | undefined;
  readonly events: readonly string[] | null;
  readonly distinctIds: readonly string[] | null;
}

/**
 * Reads the state. Columns: persons (person_id UUID, created_at TIMESTAMPTZ, properties VARCHAR JSON, is_identified BOOLEAN,
 * last_seen_at TIMESTAMPTZ); person_distinct_ids (distinct_id VARCHAR, person_id UUID); groups (index INTEGER, key VARCHAR,
 * created_at TIMESTAMPTZ, updated_at TIMESTAMPTZ, properties VARCHAR JSON).
 */
export interface StateScan {
  readonly kind: "persons" | "person_distinct_ids" | "groups";
  readonly name: string;
  readonly columns: readonly string[];
  /** As of events: further columns, which files may lack. */
  readonly earned?: readonly EarnedColumn[];
}

/** Reads a table that was written from a query: one file, whose columns are c1, c2, …. */
export interface TableScan {
  readonly kind: "table";
  readonly name: string;
  readonly columns: readonly string[];
  /** The file's object key, and its size. */
  readonly key: string;
  readonly bytes: number;
}

/** Reads rows that go along with the query. */
export interface ListScan {
  readonly kind: "list";
  readonly name: string;
  readonly columns: readonly string[];
  readonly list: RowList;
}

export type Scan = EventScan | StateScan | TableScan | ListScan;

/** Types of result columns, by the names that clients of the query language know (`UInt64`, `Nullable(String)`, …). */
export interface ResultColumn {
  readonly name: string;
  readonly type: string;
}

export type Parameter = string | number | bigint | boolean | null;

/**
 * A query ready for the embedded engine: DuckDB SQL over the relations that `scans` name, and values for its `$1`, `$2`, ….
 * The text holds no value that came from a tenant. Only `lib/hogql/lower.ts` makes one.
 */
export interface LoweredSql {
  readonly project: number;
  readonly sql: string;
  /** Queries for WITH before `sql`, each `name AS (…)`. Absent where there are none. */
  readonly ctes?: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly scans: readonly Scan[];
  /**
   * The query's rows are those of a scan of events, as they are or fewer of them, in the order of `first`: once it yields so many, events
   * behind those it read change nothing. Absent where more decides on the rows.
   */
  readonly enough?: { readonly scan: string; readonly rows: number };
  readonly columns: readonly ResultColumn[];
  /** IANA name of the project's time zone, for printing timestamps. */
  readonly timezone: string;
}

/** The same with what it was lowered from, which an engine of another dialect prints for itself. */
export interface LoweredQuery extends LoweredSql {
  readonly tree: Ast;
  readonly options: LowerOptions;
}
