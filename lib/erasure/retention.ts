import { forgetRows } from "../endpoints/forget-rows.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Policy } from "../lake/policy.ts";
import { readRemovals } from "../lake/removals-in-force.ts";
import { removeRows } from "../lake/remove-rows.ts";
import type { Budget } from "../ports/system.ts";
import type { Project } from "../projects/projects.ts";

/** The first month of which events are kept, `yyyy-mm`: so many whole ones before the month that runs. */
const firstKeptMonth = (now: number, months: number): string => {
  const at = new Date(now);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - months)).toISOString().slice(0, 7);
};

/** The parts that removing months needs; of the engine only its row files. */
type RetentionWorld = Pick<EnginePorts, "table" | "objects" | "clock" | "ids"> & {
  readonly engine: Pick<EnginePorts["engine"], "rowFiles">;
};

/**
 * Removes the months that a project keeps no longer. Persons stay as they are, and what these months counted for billing stays counted.
 * Where its time is over before the work, the next call goes on. Gives how many rows went.
 */
export const removeOldMonths = async (
  world: RetentionWorld,
  policy: Policy,
  { id, retention_months, state }: Pick<Project, "id" | "retention_months" | "state">,
  budget: Budget,
): Promise<number> => {
  if (retention_months === null || state === "removed") return 0;
  const month = firstKeptMonth(world.clock.now(), retention_months);
  // What comes late for months that are gone is never stored.
  const known = await readRemovals(world, id);
  if (known?.before === month && known.open.length === 0) return 0;
  const parts = { ...world, rowFiles: world.engine.rowFiles };
  const { rows, outcome } = await removeRows(parts, policy, id, { kind: "before", month }, budget);
  if (outcome === "done" && rows > 0) await forgetRows(world, id);
  return rows;
};
