import type { World } from "../../../lib/app/world.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { partitionAt } from "../../../lib/event/time-partitions.ts";
import type { DayCounts } from "../../../lib/usage/day-counts.ts";
import { type RollUp, readRollUp, replaceRollUp } from "../../../lib/usage/roll-ups.ts";
import { encodeRuns } from "../../../lib/usage/runs.ts";

/** Counts by date and type. */
type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

type Parts = Pick<World, "table" | "objects" | "ids">;

/** Counts of one project, put where folding puts them, in place of those of its months before. */
export const storeUsage = (world: Parts, organization: string, project: number, counts: Counts): Promise<void> =>
  storeUsages(world, organization, [project], counts);

/** The same counts for each of many projects, written at once. */
export const storeUsages = async (world: Parts, organization: string, projects: readonly number[], counts: Counts): Promise<void> => {
  const months = new Map<string, Record<string, Readonly<Record<string, number>>>>();
  for (const [date, types] of Object.entries(counts)) {
    const ms = Date.parse(date);
    const month = partitionAt(BigInt(ms) * 1000n);
    months.set(month, { ...months.get(month), [ms / DAY_MS]: types });
  }
  for (const [month, days] of months) await storeMonth(world, organization, projects, month, days);
};

const storeMonth = async (
  world: Parts,
  organization: string,
  projects: readonly number[],
  month: string,
  days: DayCounts,
): Promise<void> => {
  const { item, rollUp } = await readRollUp(world, organization, month);
  const names = [...rollUp.names];
  const entry = { manifest: world.ids.ulid(), runs: encodeRuns(days, names) };
  const next: RollUp = { names, projects: { ...rollUp.projects, ...Object.fromEntries(projects.map((project) => [project, entry])) } };
  if (!(await replaceRollUp(world, organization, month, item, next))) throw new Error("somebody else stored usage of the same month");
};
