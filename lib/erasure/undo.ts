import { forgetRows } from "../endpoints/forget-rows.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Policy } from "../lake/policy.ts";
import { removeRows } from "../lake/remove-rows.ts";
import type { Budget } from "../ports/system.ts";
import { type Import, Imports } from "../projects/imports.ts";
import { update } from "../table/store.ts";
import { eraseFromDeadLetters } from "./leftovers/messages.ts";

/** How undoing an import ended: `more` where its time was over before the work, which the next call goes on with. */
export interface UndoStep {
  readonly import: Import;
  readonly outcome: "done" | "more";
}

/**
 * Takes an import back as a whole: no query that begins after this is `done` sees a row of it, nor what its rows alone said of persons, and
 * nothing of it that comes late is stored. A row that another import brought first is that one's and stays; one that another brought as well,
 * but later, goes once its copy was dropped. The same call again goes on where one was cut off.
 */
export const undoImport = async (world: EnginePorts, policy: Policy, one: Import, budget?: Budget): Promise<UndoStep> => {
  const { project, id } = one;
  if (one.state === "undone") return { import: one, outcome: "done" };
  const parts = { ...world, rowFiles: world.engine.rowFiles };
  const removed = await removeRows(parts, policy, project, { kind: "import", import: id }, budget);
  if (removed.outcome === "more") return { import: one, outcome: "more" };
  await forgetRows(world, project);
  await eraseFromDeadLetters(world, project, { import: id });
  const undone_at = new Date(world.clock.now()).toISOString();
  const set = { state: "undone" as const, undone_at, undone_rows: removed.rows };
  return { import: await update(world.table, Imports, { project, id }, { set }), outcome: "done" };
};
