import type { Table } from "../ports/table.ts";
import { keyPages } from "../table/store.ts";
import { PendingMoves } from "./merging/pending-moves.ts";

/** Projects in which what merging, taking out or splitting left to be moved should be moved by now, in milliseconds: whoever was to do it died. */
export async function* unsettledProjects(table: Table, now: number): AsyncGenerator<number> {
  for (let from = 0; ; ) {
    const first = await keyPages(table, PendingMoves, "due", {}, { from, limit: 1 }).next();
    const move = first.done ? undefined : first.value[0];
    if (move === undefined) return;
    const project = Number(move.project);
    from = project + 1;
    const due = await keyPages(table, PendingMoves, "due", { project }, { to: now, limit: 1 }).next();
    if (!due.done) yield project;
  }
}
