import { QueryError } from "../hogql/errors.ts";
import type { LoweredSql } from "../hogql/lowered-query.ts";
import type { Cell, Limits } from "./engine.ts";
import type { NativeRow } from "./native.ts";
import { rowWriter } from "./query/cells.ts";
import { TOO_LARGE } from "./row-slices.ts";

/** The rows of a reply as they come. */
export interface ReplyRows {
  readonly rows: readonly (readonly Cell[])[];
  /** Takes the next rows, and says whether there is room for more. Throws `QueryError` where the reply is too large to be sent. */
  take(batch: readonly NativeRow[]): "more" | "enough";
}

/** Collects the rows of a query as JSON-ready ones, within its limits: what any engine finds becomes a reply here. */
export const replyRows = (
  query: Pick<LoweredSql, "columns" | "timezone">,
  limits: Pick<Limits, "maxRows" | "maxReplyBytes">,
): ReplyRows => {
  const toCells = rowWriter(query.columns, query.timezone);
  const rows: (readonly Cell[])[] = [];
  let bytes = 0;
  return {
    rows,
    take(batch) {
      const cells = batch.slice(0, limits.maxRows - rows.length).map(toCells);
      bytes += Buffer.byteLength(JSON.stringify(cells));
      if (bytes > limits.maxReplyBytes) throw new QueryError("query_too_large", TOO_LARGE);
      rows.push(...cells);
      return rows.length < limits.maxRows ? "more" : "enough";
    },
  };
};
