import { organizationOfProject } from "../../lib/entities/projects.ts";
import { POLICIES } from "../../lib/lake/catalogue/policy.ts";
import { type SweepMemory, sweep, sweepMemory } from "../../lib/lake/compaction/sweep.ts";
import { schedule } from "../../lib/lambda/schedule.ts";
import type { World } from "../../lib/world/world.ts";

/** A process sweeps again and again and remembers what it asked for; a new one asks again, which is harmless. */
const memories = new WeakMap<World, SweepMemory>();

/** Looks for work that waits, each minute; the local platform runs it each second. */
export const sweeping = schedule({
  name: "sweep",
  every: "1 minute",
  uses: ["table", "queues", "objects"],
  async run(world: World): Promise<void> {
    const memory = memories.get(world) ?? sweepMemory();
    memories.set(world, memory);
    await sweep({ ...world, organizationOf: organizationOfProject(world.table) }, POLICIES[world.config.compaction], memory);
  },
});
