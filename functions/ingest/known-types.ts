import { learnPropertyTypes, NO_TYPES, type OwnedTypes, PROPERTY_OWNERS, type PropertyTypes } from "../../lib/lake/property-types.ts";
import type { World } from "../../lib/world/world.ts";

/** The types of a project's properties that the table is known to hold. Kept longer than what else is known of a project. */
export const knownTypes = (world: World, project: number): PropertyTypes => memories.get(world)?.types.get(project) ?? NO_TYPES;

/** Stores what was learnt, if anything was: before the commit, so that whoever sees rows finds the types of all their properties. */
export const keepTypes = async (world: World, project: number, learnt: OwnedTypes | null): Promise<void> => {
  if (learnt === null) return;
  const types = await learnPropertyTypes(world.table, project, learnt);
  const memory = memories.get(world) ?? { types: new Map(), names: 0 };
  const names = memory.names + namesIn(types) - namesIn(memory.types.get(project) ?? NO_TYPES);
  const isFull = names > MAX_NAMES;
  const kept = isFull ? new Map<number, PropertyTypes>() : memory.types;
  memories.set(world, { types: kept.set(project, types), names: isFull ? namesIn(types) : names });
};

/** Names remembered at once, some 30 MB; past that all are forgotten, which costs a read of each project's item. */
const MAX_NAMES = 300_000;

/** A project takes some room even where it has no names. */
const LEAST_NAMES = 10;

interface Memory {
  readonly types: Map<number, PropertyTypes>;
  readonly names: number;
}

const memories = new WeakMap<World, Memory>();

const namesIn = ({ of }: PropertyTypes): number => PROPERTY_OWNERS.reduce((sum, owner) => sum + of[owner].size, LEAST_NAMES);
