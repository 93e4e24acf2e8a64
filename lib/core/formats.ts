/**
 * The generation of formats that this release writes unless it is told otherwise: what is stored and sent, all of it taken together.
 * It is raised with the own version of any format.
 */
export const GENERATION = 2;

/** The newest generation that this release reads. It may be told to write it. */
export const NEXT_GENERATION = GENERATION + 1;

/** Generations after its release's own that this process writes: a process belongs to one deployment. */
let ahead = 0;

/** Makes this process write the formats of a generation: the release's own, or the one after it. */
export const writeGeneration = (generation: number): void => {
  ahead = generation - GENERATION;
};

/** The version of a format that this process writes, from the release's own version of it. */
export const writtenVersion = (own: number): number => own + ahead;

/** Whether this release reads a version of a format: any that is not after the one of the next generation. */
export const isReadable = (version: unknown, own: number): version is number =>
  typeof version === "number" && version <= own + NEXT_GENERATION - GENERATION;
