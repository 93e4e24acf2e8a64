import { cache, ownedBy } from "../../lib/core/cache.ts";
import { GROUP_SLOTS } from "../../lib/event/event.ts";
import { assignGroupTypes, type GroupTypes } from "../../lib/lake/intake/group-types.ts";
import type { World } from "../../lib/world/world.ts";

/** What a process remembers of a project between messages. Losing it costs a few reads. */
export interface ProjectMemory {
  /** The project's group types, the wanted ones among them while there are slots left. */
  groupTypes(wanted: ReadonlySet<string>): Promise<GroupTypes>;
  /** Milliseconds since 1970 up to which the project is taken to be there. */
  presentUntil: number;
}

/** Projects remembered at once, some 300 bytes each. A drain may bring a thousand. */
const MAX_PROJECTS = 10_000;

const memoriesOf = ownedBy((_: World) => cache<number, ProjectMemory>({ capacity: MAX_PROJECTS }));

export const projectMemory = (world: World, project: number): ProjectMemory => {
  const memories = memoriesOf(world);
  const known = memories.get(project);
  if (known !== undefined) return known;
  const memory = newMemory(world, project);
  memories.set(project, memory);
  return memory;
};

const newMemory = (world: World, project: number): ProjectMemory => {
  let types: GroupTypes = [];
  return {
    async groupTypes(wanted) {
      const isKnown = types.length >= GROUP_SLOTS || [...wanted].every((type) => types.includes(type));
      if (!isKnown) types = await assignGroupTypes(world.table, project, wanted);
      return types;
    },
    presentUntil: 0,
  };
};
