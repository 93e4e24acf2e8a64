import type { World } from "../../lib/app/world.ts";
import { cache, perOwner } from "../../lib/core/cache.ts";
import { dayAt, learnPropertyTypes, NO_TYPES, type PropertyTypes, type TypeLearner, typeLearner } from "../../lib/lake/learn-types.ts";
import { type OwnedEvidence, PROPERTY_OWNERS } from "../../lib/lake/property-types.ts";

/** Looks for new types of a project's properties, beyond those that the table is known to hold. */
export const learnNewTypes = (world: World, project: number): TypeLearner => {
  const known = rememberedTypes(world).get(project);
  // Each day begins anew: what was seen has to be said again where a project has very many names, and what was closed is open.
  if (known === undefined || known.day !== dayAt(world.clock.now())) return typeLearner(NO_TYPES);
  return typeLearner(known.types, known);
};

/** Stores what was learnt, if anything was: before the commit, so that whoever sees rows finds the types of all their properties. */
export const keepTypes = async (world: World, project: number, learnt: OwnedEvidence | null): Promise<void> => {
  if (learnt === null) return;
  const now = world.clock.now();
  const { types, isClosed, rejected, unnoted, evicted } = await learnPropertyTypes(world.table, project, learnt, now);
  if (rejected + evicted > 0)
    world.log.line("warn", "ingest.names", { project, refused: rejected, unnoted, forgotten: evicted, closed: isClosed });
  rememberedTypes(world).set(project, { types, isClosed, day: dayAt(now) });
};

/** Names remembered at once, some 30 MB: a project whose types are forgotten costs a read of its item. */
const MAX_NAMES = 300_000;

/** A project takes some room even where it has no names. */
const LEAST_NAMES = 10;

/** A process's memory of a project's types, from a UTC day. Kept longer than what else is known of a project. */
interface ProjectTypes {
  readonly types: PropertyTypes;
  readonly isClosed: boolean;
  readonly day: number;
}

const namesIn = ({ of }: PropertyTypes): number => PROPERTY_OWNERS.reduce((sum, owner) => sum + of[owner].size, LEAST_NAMES);

const rememberedTypes = perOwner((_: World) => cache<number, ProjectTypes>({ capacity: MAX_NAMES, weigh: ({ types }) => namesIn(types) }));
