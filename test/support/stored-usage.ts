import { DAY_MS } from "../../lib/core/time.ts";
import { partitionOf } from "../../lib/event/days.ts";
import type { DayCounts } from "../../lib/event/usage-types.ts";
import { readRollUp, replaceRollUp, withProject } from "../../lib/lake/usage/roll-ups.ts";
import type { World } from "../../lib/world/world.ts";

/** Counts of one project by date and type, put where folding puts them, in place of those of its months before. */
export const storeUsage = async (
  world: World,
  organization: string,
  project: number,
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Promise<void> => {
  const months = new Map<string, Record<string, Readonly<Record<string, number>>>>();
  for (const [date, types] of Object.entries(counts)) {
    const ms = Date.parse(date);
    const month = partitionOf(BigInt(ms) * 1000n);
    months.set(month, { ...months.get(month), [ms / DAY_MS]: types });
  }
  for (const [month, days] of months) await storeMonth(world, organization, project, month, days);
};

const storeMonth = async (world: World, organization: string, project: number, month: string, days: DayCounts): Promise<void> => {
  const { item, rollUp } = await readRollUp(world, organization, month);
  const stored = await replaceRollUp(world, organization, month, item, withProject(rollUp, project, { manifest: world.ids.ulid(), days }));
  if (!stored) throw new Error("somebody else stored usage of the same month");
};
