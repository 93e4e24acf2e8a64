import type { QueryCase } from "./corpus/case.ts";
import { generateQuery } from "./corpus/generate.ts";

/** Queries over the grammar that nobody has seen before: as many as asked for, from a seed on. */
export const randomCases = (seed: number, count: number): readonly QueryCase[] =>
  Array.from({ length: count }, (_, index) => ({
    part: "generated",
    name: `random-${seed + index}`,
    query: generateQuery(RANDOM_SEEDS + seed + index),
  }));

/** Beyond the seeds of the corpus. */
const RANDOM_SEEDS = 1_000_000;
