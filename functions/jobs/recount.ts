import { DAY_MS, isoDay } from "../../lib/core/time.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { recountDay } from "../../lib/lake/usage.ts";
import { organizationOfProject } from "../../lib/projects/projects.ts";
import type { CountDifference } from "../../lib/usage/day-counts.ts";
import type { JobWorld } from "./world.ts";

/**
 * Logs where the stored usage differs from the lake, of the day before from its rows, of its month and the one before from what their
 * files count, and then throws, which triggers the alarm. It repairs nothing: what is owed follows from these numbers, and a change of
 * them is for a person to decide.
 */
export const recountJob = async (world: JobWorld, project: number): Promise<void> => {
  const organization = await organizationOfProject(world.table)(project);
  if (organization === undefined) return;
  const day = Math.floor(world.clock.now() / DAY_MS) - 1;
  const parts = { table: world.table, objects: world.objects, rowFiles: world.engine.rowFiles };
  const { rows, differences } = (await recountDay(parts, { organization, project }, day)) ?? { rows: 0, differences: [] };
  for (const { day: on, ...difference } of differences)
    world.log.line("error", "usage_differs", { project, date: isoDay(on), rows, ...difference });
  if (differences.length > 0)
    throw new Defect(`the stored usage differs from the lake: ${differences.slice(0, MAX_IN_MESSAGE).map(describe).join(", ")}`);
};

/** Differences that the error names; the log has all. */
const MAX_IN_MESSAGE = 10;

const describe = ({ day, type, stored, counted }: CountDifference): string => `${isoDay(day)} ${type} ${stored} stored, ${counted} counted`;
