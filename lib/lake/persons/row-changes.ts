import type { EventRow } from "../../event/event.ts";
import { type At, type DeltaGatherer, type Deltas, type GroupOp, gatherDeltas, type PersonOp } from "./deltas.ts";

/** What the event of a row does to persons and groups, beyond being seen. */
export interface RowChange {
  readonly person: Pick<PersonOp, "merge" | "set" | "setOnce" | "unset"> | null;
  readonly group: Pick<GroupOp, "slot" | "key" | "set"> | null;
  /** Properties that were left out, being more than one event may change. Absent where none was. */
  readonly over?: number;
}

/** By row; rows that only show that somebody was there are not in it. */
export type RowChanges = ReadonlyMap<EventRow, RowChange>;

/** What rows say about persons and groups: of a copy that was dropped nothing is left. */
export const deltasOf = (rows: Iterable<EventRow>, changes: RowChanges): Deltas => {
  const deltas = gatherDeltas();
  addDeltas(deltas, rows, changes);
  return deltas.take();
};

export const addDeltas = (deltas: DeltaGatherer, rows: Iterable<EventRow>, changes: RowChanges): void => {
  for (const row of rows) {
    if (row.person_mode !== "full") continue;
    const at: At = { time: row.timestamp, index: row.index, uuid: row.uuid };
    deltas.seen(row.distinct_id, at);
    const change = changes.get(row);
    if (change?.person) deltas.person({ at, id: row.distinct_id, ...change.person });
    if (change?.group) deltas.group({ at, ...change.group });
  }
};

/** How many properties of these rows were left out. */
export const overOf = (rows: readonly EventRow[], changes: RowChanges): number =>
  rows.reduce((sum, row) => sum + (changes.get(row)?.over ?? 0), 0);
