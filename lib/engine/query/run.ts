import { QueryError } from "../../hogql/errors.ts";
import type { Lowered } from "../../hogql/lowered.ts";
import type { Pinned } from "../../lake/catalogue/pinned.ts";
import { TOO_LARGE } from "../duckdb.ts";
import type { Cell, Limits, Rows } from "../engine.ts";
import type { BoundScan, FetchMode } from "./bound-scan.ts";
import { cellsOf } from "./cells.ts";
import { authorError, IncompleteFile } from "./engine-errors.ts";
import type { RunParts } from "./run-parts.ts";
import { withRelations } from "./scan-sql.ts";
import { bindScan } from "./scans.ts";
import { MAX_WAIT_MS } from "./turns.ts";

/** Runs a lowered query over a pinned state: see `Engine.run`. */
export const runQuery =
  (parts: RunParts) =>
  async (query: Lowered, pinned: Pinned, limits: Limits): Promise<Rows> => {
    try {
      return await runOnce(parts, query, pinned, limits, "columns");
    } catch (thrown) {
      if (!(thrown instanceof IncompleteFile)) throw thrown;
      return runOnce(parts, query, pinned, limits, "whole");
    }
  };

/** Once with the columns that the query names; should the engine miss bytes, once more with whole files. */
const runOnce = async (parts: RunParts, query: Lowered, pinned: Pinned, limits: Limits, fetch: FetchMode): Promise<Rows> => {
  const bound: BoundScan[] = [];
  parts.databases.warm();
  try {
    for (const scan of query.scans) bound.push(await bindScan(parts, pinned, scan, fetch));
    await limits.admitted;
    const sql = withRelations(query, bound);
    const sum = (pick: (one: BoundScan) => number): number => bound.reduce((total, one) => total + pick(one), 0);
    const result = await parts.databases.use(
      query.project,
      async (database) => {
        const started = performance.now();
        const collected = collect(query, limits);
        await database
          .select(sql, query.parameters, limits.timeMs, collected.take, limits.maxReplyBytes / LEAST_CELL_BYTES)
          .catch((thrown: unknown) => {
            throw authorError(thrown);
          });
        return { rows: collected.rows, engineMs: performance.now() - started };
      },
      MAX_WAIT_MS,
    );
    return {
      rows: result.rows,
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

const collect = (query: Lowered, limits: Limits) => {
  const toCells = cellsOf(query.columns, query.timezone);
  const rows: (readonly Cell[])[] = [];
  let bytes = 0;
  const take = (batch: Parameters<typeof toCells>[0][]): "more" | "enough" => {
    const cells = batch.slice(0, limits.maxRows - rows.length).map(toCells);
    bytes += Buffer.byteLength(JSON.stringify(cells));
    if (bytes > limits.maxReplyBytes) throw new QueryError("query_too_large", TOO_LARGE);
    rows.push(...cells);
    return rows.length < limits.maxRows ? "more" : "enough";
  };
  return { rows, take };
};

/** A digit and a comma. */
const LEAST_CELL_BYTES = 2;
