import * as z from "zod";
import { Unreachable } from "./unreachable.ts";

/** What a query read and gave, as ClickHouse counted it. */
export interface Summary {
  readonly readRows: number;
  readonly readBytes: number;
  readonly resultRows: number;
}

/** ClickHouse leaves zeros out in some versions. */
const Count = z.coerce.number().int().nonnegative().default(0);

const Header = z.object({ read_rows: Count, read_bytes: Count, result_rows: Count });

/**
 * The summary in the headers of an answer, which are sent when the query has ended. Throws `Unreachable` for an answer that has none, or
 * is not to a query with one of these ids: whatever sent it, it was not ClickHouse's answer to us.
 */
export const readSummary = (headers: Readonly<Record<string, unknown>>, queryIds: readonly string[]): Summary => {
  const text = headers["x-clickhouse-summary"];
  const id = headers["x-clickhouse-query-id"];
  if (typeof id !== "string" || !queryIds.includes(id)) throw new Unreachable(`an answer to query ${queryIds[0]} is not ClickHouse's`);
  const summary = Header.safeParse(typeof text === "string" ? parsed(text) : undefined);
  if (!summary.success) throw new Unreachable(`an answer to query ${queryIds[0]} has no summary`);
  const { read_rows: readRows, read_bytes: readBytes, result_rows: resultRows } = summary.data;
  return { readRows, readBytes, resultRows };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
