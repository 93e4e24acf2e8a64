import { mkdir, stat, unlink } from "node:fs/promises";
import { MAX_WAIT_MS } from "../../core/fair-queue.ts";
import type { LoweredSql } from "../../hogql/lowered-query.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import type { Objects } from "../../ports/objects.ts";
import type { ReadOnlyDatabase } from "../duckdb/databases.ts";
import type { SelectOptions } from "../duckdb/duckdb.ts";
import type { Limits, Rows, WriteLimits, WrittenTable } from "../engine.ts";
import type { NativeRow } from "../native.ts";
import { replyRows } from "../reply-rows.ts";
import { authorError, IncompleteFile } from "./process/engine-errors.ts";
import { type BoundScan, type FetchMode, withRelations } from "./scans/scan-sql.ts";
import { bindScan, LARGEST_PART, type RunParts } from "./scans/scans.ts";

/** Bytes of the files that are read first where a query may have enough of them: a few days of a busy project. */
const FIRST_BYTES = 16_000_000;

/**
 * Runs a lowered query over a pinned state: see `Engine.run`. A query that may have enough of the files whose rows it wants first is tried
 * over these, at least `firstBytes` of them, so that no others are fetched.
 */
export const runQuery =
  (parts: RunParts, firstBytes = FIRST_BYTES) =>
  async (query: LoweredSql, pinned: PinnedState, limits: Limits): Promise<Rows> => {
    let cost = NO_COST;
    const select: Select<Rows["rows"]> = async (database, sql, reads) => {
      const { rows, take } = replyRows(query, limits);
      // All tries together have the time of one run.
      await database.select(sql, query.parameters, Math.max(1, limits.timeMs - cost.engineMs), take, {
        maxBytes: limits.maxReplyBytes,
        signal: limits.signal,
        ...reads,
      });
      return rows;
    };
    const step = { select, maxWaitMs: MAX_WAIT_MS, ...(limits.admitted && { admitted: limits.admitted }) };
    const { enough } = query;
    for (let bytes = enough === undefined ? Number.POSITIVE_INFINITY : firstBytes; ; bytes /= LARGEST_PART) {
      const done = await run(parts, query, pinned, { ...step, bytes });
      cost = bothCosts(cost, done.cost);
      if (!done.isPart || done.value.length >= Math.min(enough?.rows ?? 0, limits.maxRows))
        return { engine: "embedded", rows: done.value, cost };
    }
  };

const NO_COST: Rows["cost"] = { engineMs: 0, fetchedBytes: 0, neededBytes: 0 };

const bothCosts = (a: Rows["cost"], b: Rows["cost"]): Rows["cost"] => ({
  engineMs: a.engineMs + b.engineMs,
  fetchedBytes: a.fetchedBytes + b.fetchedBytes,
  neededBytes: a.neededBytes + b.neededBytes,
});

/** Writes the rows of a lowered query as one Parquet object: see `Engine.write`. */
export const writeQuery =
  (parts: RunParts & { readonly objects: Objects }) =>
  async (
    query: LoweredSql,
    pinned: PinnedState,
    { timeMs, signal, ...waits }: Omit<WriteLimits, "engine">,
    key: string,
  ): Promise<WrittenTable> => {
    const path = `${parts.local.readable(query.project)}table-${writtenFiles++}.parquet`;
    const copiedRows = (rows: readonly NativeRow[]): number => Number(rows[0]?.[0] ?? 0);
    const copy: Select<number> = async (database, sql, reads) => {
      let rows = 0;
      await database.select(
        sql,
        query.parameters,
        timeMs,
        (batch) => {
          rows += copiedRows(batch);
          return "more";
        },
        { into: path, signal, ...reads },
      );
      return rows;
    };
    try {
      await mkdir(parts.local.readable(query.project), { recursive: true });
      const { value: rows, cost } = await run(parts, query, pinned, { select: copy, ...waits });
      const { size: bytes } = await stat(path);
      await parts.objects.putFile(key, path);
      return { engine: "embedded", rows, bytes, cost };
    } finally {
      await unlink(path).catch(() => undefined);
    }
  };

/** Numbers the files being written within a process. */
let writtenFiles = 0;

/** The use of a query's text on its project's instance. */
type Select<T> = (database: ReadOnlyDatabase, sql: string, reads: Reads) => Promise<T>;

/** What a query's text reads as tables. */
type Reads = Required<Pick<SelectOptions, "kept" | "readsKeptAlone">>;

interface Step<T> extends Pick<Limits, "admitted">, Pick<WriteLimits, "maxWaitMs"> {
  readonly select: Select<T>;
  /** Bytes of the files of events that are read at least, of those that the query may have enough of; all where it is left out. */
  readonly bytes?: number;
}

interface Done<T> {
  readonly value: T;
  readonly cost: Rows["cost"];
  /** Events were left unread, which the query wants behind those it read. */
  readonly isPart: boolean;
}

/** Once with the columns that the query names; should the engine miss bytes, once more with whole files. */
const run = async <T>(parts: RunParts, query: LoweredSql, pinned: PinnedState, step: Step<T>): Promise<Done<T>> => {
  try {
    return await runOnce(parts, query, pinned, step, "columns");
  } catch (thrown) {
    if (!(thrown instanceof IncompleteFile)) throw thrown;
    return runOnce(parts, query, pinned, step, "whole");
  }
};

/** Bytes of files that one thread reads within some tens of milliseconds; what is kept as tables is small, too. */
const MOST_LITTLE_BYTES = 1_000_000;

const runOnce = async <T>(parts: RunParts, query: LoweredSql, pinned: PinnedState, step: Step<T>, fetch: FetchMode): Promise<Done<T>> => {
  const bound: BoundScan[] = [];
  parts.databases.warm();
  try {
    for (const scan of query.scans)
      bound.push(await bindScan(parts, pinned, scan, fetch, scan.name === query.enough?.scan ? step.bytes : undefined));
    await step.admitted;
    const sql = withRelations(query, bound);
    const kept = bound.flatMap(({ kept: one }) => one ?? []);
    const reads = { kept, readsKeptAlone: kept.length > 0 && kept.length === bound.length };
    const sum = (pick: (one: BoundScan) => number): number => bound.reduce((total, one) => total + pick(one), 0);
    const result = await parts.databases.use(
      query.project,
      async (database) => {
        const started = performance.now();
        const value = await step.select(database, sql, reads).catch((thrown: unknown) => {
          throw authorError(thrown);
        });
        return { value, engineMs: performance.now() - started };
      },
      { maxWaitMs: step.maxWaitMs, readsLittle: reads.readsKeptAlone || sum(({ neededBytes }) => neededBytes) <= MOST_LITTLE_BYTES },
    );
    return {
      value: result.value,
      isPart: bound.some(({ isPart }) => isPart === true),
      cost: {
        engineMs: result.engineMs,
        fetchedBytes: sum(({ fetchedBytes }) => fetchedBytes),
        neededBytes: sum(({ neededBytes }) => neededBytes),
      },
    };
  } finally {
    for (const one of bound) one.release();
  }
};
