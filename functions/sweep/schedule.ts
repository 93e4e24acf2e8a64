import type { World } from "../../lib/app/world.ts";
import { perOwner } from "../../lib/core/cache.ts";
import { requestDueTables, requestedTables } from "../../lib/endpoints/materialisations.ts";
import { policyOf } from "../../lib/lake/policy.ts";
import { sweep, sweepMemory } from "../../lib/lake/sweep.ts";
import { schedule } from "../../lib/lambda/schedule.ts";
import { organizationOfProject } from "../../lib/projects/projects.ts";
import { askRecounts, askRemovals, askSettling, recountMemory } from "./requests.ts";

/** A process sweeps again and again and remembers what it asked for; a new one asks again, which is harmless. */
const sweepMemories = perOwner((_: World) => ({
  lake: sweepMemory(),
  tables: requestedTables(),
  recounts: recountMemory(),
  settling: new Map<number, number>(),
}));

/** Looks for work that waits, each minute; the local platform runs it each second. */
export const sweeping = schedule({
  name: "sweep",
  every: "1 minute",
  uses: {
    table: ["lake", "usage", "organization", "sweep"],
    queues: ["jobs"],
    objects: { read: ["state", "usage"], remove: ["fresh", "events", "state", "iceberg"] },
  },
  settings: ["publishing"],
  memoryMb: 256,
  timeoutSeconds: 60,
  async run(world: World): Promise<void> {
    const { lake, tables, recounts, settling } = sweepMemories(world);
    await askRemovals(world);
    await requestDueTables(world, tables);
    await askRecounts(world, recounts);
    await askSettling(world, settling);
    await sweep({ ...world, organizationOf: organizationOfProject(world.table) }, policyOf(world.config), lake);
  },
});
