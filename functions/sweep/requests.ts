import type { World } from "../../lib/app/world.ts";
import { DAY_MS, isYoung, MINUTE_MS } from "../../lib/core/time.ts";
import { unsettledProjects } from "../../lib/error-tracking/unsettled-projects.ts";
import { sendJobs } from "../../lib/jobs/jobs.ts";
import { projectsInTurn } from "../../lib/lake/sweep.ts";
import { dueRemovals, postponeRemoval } from "../../lib/organizations/removal.ts";
import type { Item } from "../../lib/ports/table.ts";
import { keyIn } from "../../lib/table/partitions.ts";

/** Projects whose usage is recounted in one night; the next night goes on behind them. */
const PROJECTS_A_NIGHT = 100;

const KEY = keyIn("sweep", "recounts", {});
const FORMAT = 1;

/** The UTC day for which a process knows that recounts were asked for. */
export interface RecountMemory {
  day: number;
}

export const recountMemory = (): RecountMemory => ({ day: Number.NEGATIVE_INFINITY });

/** Asks the jobs worker, once a night, to compare the usage of the day before with the lake, for some projects in turn. */
export const askRecounts = async (
  { table, queues, clock, log }: Pick<World, "table" | "queues" | "clock" | "log">,
  memory: RecountMemory,
): Promise<void> => {
  const day = Math.floor(clock.now() / DAY_MS);
  if (memory.day >= day) return;
  const before = await table.get(KEY, { consistent: true });
  if (numberIn(before, "day") < day) {
    const turn = await projectsInTurn(table, numberIn(before, "next"));
    const unsent = await sendJobs(
      queues,
      turn.slice(0, PROJECTS_A_NIGHT).map((project) => ({ kind: "recount" as const, project })),
    );
    for (const { project } of unsent) log.line("warn", "recount_not_asked", { project });
    await table.put({ ...KEY, v: FORMAT, day, next: turn[PROJECTS_A_NIGHT] ?? 0 });
  }
  memory.day = day;
};

const numberIn = (item: Item | undefined, name: string): number => {
  const value = item?.[name];
  return typeof value === "number" ? value : 0;
};

/** Asks the jobs worker to go on with the removals of organizations that are not finished. */
export const askRemovals = async ({ table, queues, clock, log }: Pick<World, "table" | "queues" | "clock" | "log">): Promise<void> => {
  const now = clock.now();
  for (const organization of await dueRemovals(table, now)) {
    const unsent = await sendJobs(queues, [{ kind: "remove-organization", organization }]);
    if (unsent.length === 0) await postponeRemoval(table, organization, now);
    else log.line("warn", "removal_not_asked", { organization });
  }
};

/** When settling was asked for, by project. */
export type SettlingMemory = Map<number, number>;

/** Settling that was asked for is asked for again after this. */
const SETTLE_AGAIN_MS = 10 * MINUTE_MS;

/** Asks the jobs worker to move what merging issues left to be moved, where the request that merged them died. */
export const askSettling = async (
  { table, queues, clock, log }: Pick<World, "table" | "queues" | "clock" | "log">,
  asked: SettlingMemory,
): Promise<void> => {
  const now = clock.now();
  for (const [project, at] of asked) if (!isYoung(at, SETTLE_AGAIN_MS, now)) asked.delete(project);
  for await (const project of unsettledProjects(table, now)) {
    if (asked.has(project)) continue;
    const unsent = await sendJobs(queues, [{ kind: "settle-issues", project }]);
    if (unsent.length === 0) asked.set(project, now);
    else log.line("warn", "settling_not_asked", { project });
  }
};
