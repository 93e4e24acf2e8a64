import { matchesGlob } from "node:path";
import { randomOf } from "../simulation/random.ts";
import type { Mutant } from "./mutants.ts";

export interface Choice {
  /** Only files that one of these globs matches; none is all. */
  readonly files: readonly string[];
  /** So many of them, those that this seed picks; null is all. */
  readonly sample: number | null;
  readonly seed: number;
}

/** The mutants that a run is about, the same for the same choice and program, in the order of the files. */
export const chosen = (mutants: readonly Mutant[], { files, sample, seed }: Choice): readonly Mutant[] => {
  const within = mutants.filter(({ file }) => files.length === 0 || files.some((glob) => matchesGlob(file, glob)));
  if (sample === null || sample >= within.length) return within;
  const random = randomOf(seed);
  const lots = within.map((mutant) => ({ mutant, lot: random.next() }));
  return lots
    .sort((a, b) => a.lot - b.lot)
    .slice(0, sample)
    .map(({ mutant }) => mutant)
    .sort((a, b) => a.id - b.id);
};
