import type { World } from "../../lib/app/world.ts";
import { perOwner } from "../../lib/core/cache.ts";
import { startDueTables } from "../../lib/endpoints/table-lane.ts";
import { policyOf } from "../../lib/lake/policy.ts";
import { sweep, sweepMemory } from "../../lib/lake/sweep.ts";
import { schedule } from "../../lib/lambda/schedule.ts";
import { organizationOfProject } from "../../lib/projects/projects.ts";
import { askRecounts, askRemovals, askSettling, recountMemory } from "./requests.ts";

/** A process sweeps again and again and remembers what it asked for; a new one asks again, which is harmless. */
const sweepMemories = perOwner((_: World) => ({
  lake: sweepMemory(),
  recounts: recountMemory(),
  settling: new Map<number, number>(),
}));

/** Looks for work that waits, each minute; the local platform runs it each second. */
export const sweeping = schedule({
  name: "sweep",
  every: "1 minute",
  uses: {
    table: {
      read: ["lake", "usage", "organization", "project", "mergedIssues", "lanes", "sweep"],
      lists: ["due#{shard}", "later#{shard}", "failing", "materialise", "issue-moves", "organization-removals"],
      write: ["lake", "usage", "organization", "sweep"],
      removes: true,
    },
    queues: ["jobs"],
    invocations: ["tables"],
    objects: { read: ["state", "usage"], remove: ["fresh", "events", "state", "iceberg"] },
  },
  settings: ["file size", "publishing"],
  memoryMb: 256,
  timeoutSeconds: 60,
  async run(world: World): Promise<void> {
    const { lake, recounts, settling } = sweepMemories(world);
    await askRemovals(world);
    await startDueTables(world);
    await askRecounts(world, recounts);
    await askSettling(world, settling);
    await sweep({ ...world, organizationOf: organizationOfProject(world.table) }, policyOf(world.config), lake);
  },
});
