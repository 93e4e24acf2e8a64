import { DAY_MS, isoDay } from "../../lib/core/time.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { organizationOfProject } from "../../lib/entities/projects/projects.ts";
import { recountDay } from "../../lib/lake/usage/recount.ts";
import type { JobWorld } from "./world.ts";

/**
 * Says where the stored usage of the day before differs from the rows of the lake, and fails then, so that the bell rings. It repairs
 * nothing: what is owed follows from these numbers, and a change of them is for a person to decide.
 */
export const recountJob = async (world: JobWorld, project: number): Promise<void> => {
  const organization = await organizationOfProject(world.table)(project);
  if (organization === undefined) return;
  const day = Math.floor(world.clock.now() / DAY_MS) - 1;
  const parts = { table: world.table, objects: world.objects, rowFiles: world.engine.rowFiles };
  const { rows, differences } = (await recountDay(parts, { organization, project }, day)) ?? { rows: 0, differences: [] };
  const date = isoDay(day);
  for (const difference of differences) world.log.line("error", "usage_differs", { project, date, rows, ...difference });
  if (differences.length > 0)
    throw new Defect(`the usage of ${date} differs from the rows of the lake: ${differences.map(said).join(", ")}`);
};

const said = ({ type, stored, counted }: { readonly type: string; readonly stored: number; readonly counted: number }): string =>
  `${type} ${stored} stored, ${counted} counted`;
