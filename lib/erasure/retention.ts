import { forgetRows } from "../endpoints/forget-rows.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Policy } from "../lake/policy.ts";
import { removeRows } from "../lake/remove-rows.ts";
import type { Budget } from "../ports/system.ts";
import type { Project } from "../projects/projects.ts";

/** The first month of which events are kept, `yyyy-mm`: so many whole ones before the month that runs. */
export const firstKeptMonth = (now: number, months: number): string => {
  const at = new Date(now);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months)).toISOString().slice(0, 7);
};

/**
 * Removes the months that a project keeps no longer, and what their rows alone said of persons. What they counted for billing stays counted.
 * Where its time is over before the work, the next call goes on. Gives how many rows went.
 */
export const removeOldMonths = async (
  world: EnginePorts,
  policy: Policy,
  { id, retention_months, state }: Pick<Project, "id" | "retention_months" | "state">,
  budget?: Budget,
): Promise<number> => {
  if (retention_months === null || state === "removed") return 0;
  const month = firstKeptMonth(world.clock.now(), retention_months);
  const parts = { ...world, rowFiles: world.engine.rowFiles };
  const { rows, outcome } = await removeRows(parts, policy, id, { kind: "before", month }, budget);
  if (outcome === "done" && rows > 0) await forgetRows(world, id);
  return rows;
};
