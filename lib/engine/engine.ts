import type { ExactNumber } from "../core/exact-json.ts";
import type { LoweredQuery, LoweredSql } from "../hogql/lowered-query.ts";
import type { PinnedState } from "../lake/catalogue.ts";
import type { RowFiles } from "../lake/row-files.ts";
import type { Ports } from "../ports/ports.ts";
import type { NeededBytes } from "./query/needed-bytes.ts";
import type { ReadOverlay } from "./query/scans/state-overlays.ts";

/** What runs queries: the engine inside the function, or a ClickHouse beside the deployment. */
export type EngineName = "embedded" | "clickhouse";

/** Limits of a run: milliseconds, rows, and bytes of the reply as JSON. */
export interface Limits {
  /** Who is asked to run it; without, or with `auto`, its size decides. */
  readonly engine?: "auto" | EngineName;
  readonly timeMs: number;
  readonly maxRows: number;
  readonly maxReplyBytes: number;
  /** Waited for when the files are there and before the engine starts; what it throws ends the run. */
  readonly admitted?: Promise<void>;
  /** Ends the run, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Limits of the rows that are written as a table. */
export interface WriteLimits extends Pick<Limits, "timeMs" | "engine" | "signal"> {
  /** How long it may wait for its turn, milliseconds; as long as it must where it is left out. */
  readonly maxWaitMs?: number;
}

/** A JSON-ready value of a result row. */
export type Cell = string | number | ExactNumber | boolean | null | readonly Cell[] | { readonly [name: string]: Cell };

export interface Rows {
  /** Who computed them. */
  readonly engine: EngineName;
  readonly rows: readonly (readonly Cell[])[];
  /** The cost of the run: milliseconds in the engine, bytes fetched from the object store, bytes of the column chunks needed. */
  readonly cost: { readonly engineMs: number; readonly fetchedBytes: number; readonly neededBytes: number };
}

/** A table as it was written. */
export interface WrittenTable {
  readonly engine: EngineName;
  readonly rows: number;
  readonly bytes: number;
  readonly cost: Rows["cost"];
}

/**
 * Runs lowered queries over a pinned state of the lake, and is the row files of compaction. One query at a time per process,
 * a bounded queue behind it. Throws `QueryError` with the contract's code when a query hits a limit, and `Busy` when it has
 * to wait for those of others for long; stays usable afterwards.
 */
export interface Engine {
  run(query: LoweredQuery, pinned: PinnedState, limits: Limits): Promise<Rows>;
  /** Writes the rows of a query as one Parquet object under `key`, with columns c1, c2, …. */
  write(query: LoweredQuery, pinned: PinnedState, limits: WriteLimits, key: string): Promise<WrittenTable>;
  readonly rowFiles: RowFiles;
  /** Ends what runs, which throws `Unavailable`, and is not to be used again. Settles when nothing runs any more. */
  close(): Promise<void>;
}

/** The engine inside the function: it runs the text that lowering made. */
export interface EmbeddedEngine extends Engine {
  run(query: LoweredSql, pinned: PinnedState, limits: Limits): Promise<Rows>;
  write(query: LoweredSql, pinned: PinnedState, limits: Omit<WriteLimits, "engine">, key: string): Promise<WrittenTable>;
  /** What waits over the state, as files: any engine reads persons, ids and groups as this one does. */
  readonly overlay: ReadOverlay;
  readonly neededBytes: NeededBytes;
}

/** The ports with the engine beside them: what runs a query, or keeps its rows as a table, may touch. */
export interface EnginePorts extends Ports {
  readonly engine: Engine;
}
