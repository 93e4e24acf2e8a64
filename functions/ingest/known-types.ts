import { type OwnedTypes, PROPERTY_OWNERS } from "../../lib/lake/property-types/property-owners.ts";
import { dayOf, learnPropertyTypes, NO_TYPES, type PropertyTypes } from "../../lib/lake/property-types/property-types.ts";
import { type TypeLearner, typeLearner } from "../../lib/lake/property-types/type-learner.ts";
import type { World } from "../../lib/world/world.ts";

/** What looks for new types of a project's properties, beyond those that the table is known to hold. */
export const newTypesOf = (world: World, project: number): TypeLearner => {
  const known = memories.get(world)?.projects.get(project);
  // Each day begins anew: what was seen has to be said again where a project has very many names, and what was closed is open.
  if (known === undefined || known.day !== dayOf(world.clock.now())) return typeLearner(NO_TYPES);
  return typeLearner(known.types, known);
};

/** Stores what was learnt, if anything was: before the commit, so that whoever sees rows finds the types of all their properties. */
export const keepTypes = async (world: World, project: number, learnt: OwnedTypes | null): Promise<void> => {
  if (learnt === null) return;
  const now = world.clock.now();
  const { types, isClosed, refused, unnoted, forgotten } = await learnPropertyTypes(world.table, project, learnt, now);
  if (refused + forgotten > 0) world.log.line("warn", "ingest.names", { project, refused, unnoted, forgotten, closed: isClosed });
  remember(world, project, { types, isClosed, day: dayOf(now) });
};

const remember = (world: World, project: number, known: ProjectTypes): void => {
  const memory = memories.get(world) ?? { projects: new Map(), names: 0 };
  const names = memory.names + namesIn(known.types) - namesIn(memory.projects.get(project)?.types ?? NO_TYPES);
  const isFull = names > MAX_NAMES;
  const projects = isFull ? new Map<number, ProjectTypes>() : memory.projects;
  memories.set(world, { projects: projects.set(project, known), names: isFull ? namesIn(known.types) : names });
};

/** Names remembered at once, some 30 MB; past that all are forgotten, which costs a read of each project's item. */
const MAX_NAMES = 300_000;

/** A project takes some room even where it has no names. */
const LEAST_NAMES = 10;

/** What a process knows of a project's types, from a UTC day. Kept longer than what else is known of a project. */
interface ProjectTypes {
  readonly types: PropertyTypes;
  readonly isClosed: boolean;
  readonly day: number;
}

interface Memory {
  readonly projects: Map<number, ProjectTypes>;
  readonly names: number;
}

const memories = new WeakMap<World, Memory>();

const namesIn = ({ of }: PropertyTypes): number => PROPERTY_OWNERS.reduce((sum, owner) => sum + of[owner].size, LEAST_NAMES);
