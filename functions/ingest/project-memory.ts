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

/** Projects remembered at once, some 300 bytes each; past that all are forgotten. A drain may bring a thousand. */
const MAX_PROJECTS = 10_000;

const memories = new WeakMap<World, Map<number, ProjectMemory>>();

export const projectMemory = (world: World, project: number): ProjectMemory => {
  let projects = memories.get(world);
  if (projects === undefined || (projects.size >= MAX_PROJECTS && !projects.has(project))) {
    projects = new Map();
    memories.set(world, projects);
  }
  const known = projects.get(project);
  if (known !== undefined) return known;
  const memory = newMemory(world, project);
  projects.set(project, memory);
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
