import { QueryError } from "../hogql/errors.ts";
import type { Native, NativeRow } from "./native.ts";
import { leastBytes } from "./query/least-bytes.ts";

/** Some rows as the engine holds them, by column: a value is made when it is read. */
export interface Chunk {
  readonly rowCount: number;
  readonly columnCount: number;
  valueAt(column: number, row: number): Native;
}

/** How many bytes of JSON are left for rows. */
export interface Room {
  bytes: number;
}

export const TOO_LARGE =
  "The reply is larger than the 6 MB that can be sent. Select fewer columns, or page through the rows with `limit` and `offset`.";

/** Values that are handed over at once: who takes them serves others, too. */
const CELLS_AT_ONCE = 20_000;

/**
 * The rows of a chunk, some at a time. Making values costs more than computing them does, so none is made behind the first row that
 * has no room any more: there a `QueryError` ends it.
 */
export function* rowSlices(chunk: Chunk, room: Room): Generator<NativeRow[]> {
  const atOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / chunk.columnCount));
  for (let from = 0; from < chunk.rowCount; from += atOnce) {
    const rows: NativeRow[] = [];
    for (let row = from; row < Math.min(from + atOnce, chunk.rowCount); row++) rows.push(withinRoom(rowAt(chunk, row), room));
    yield rows;
  }
}

const rowAt = (chunk: Chunk, row: number): NativeRow =>
  Array.from({ length: chunk.columnCount }, (_, column) => chunk.valueAt(column, row));

const withinRoom = (row: NativeRow, room: Room): NativeRow => {
  if (room.bytes === Number.POSITIVE_INFINITY) return row;
  room.bytes -= leastBytes(row);
  if (room.bytes < 0) throw new QueryError("query_too_large", TOO_LARGE);
  return row;
};
