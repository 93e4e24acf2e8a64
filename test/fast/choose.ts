import type { Import } from "../support/imports.ts";

/** Tests of single rooms: all of them run, but those that take longer than this many seconds. */
const UNIT = /^(?:lib|functions)\/.*\.test\.ts$/;
const MOST_UNIT_SECONDS = 4;

/** What all other tests that are chosen may take together, in seconds of one core. */
const MOST_NEAR_SECONDS = 40;

/** Quick, and the first to notice a file that lies where it may not. */
const ALWAYS = "test/contract/import-rules.test.ts";

export interface Choice {
  readonly files: readonly string[];
  /** Unit tests that take too long. */
  readonly slow: readonly string[];
  /** Other tests that reach what changed, and do not fit into the time. */
  readonly far: readonly string[];
}

/**
 * The unit tests, and of all others those that are nearest to what changed: by the number of imports in between, then by their time.
 * A slow unit test is chosen like one of the others.
 */
export const choose = (
  tests: readonly string[],
  imports: readonly Import[],
  changed: readonly string[],
  secondsOf: (file: string) => number,
): Choice => {
  const unit = tests.filter((file) => UNIT.test(file) && secondsOf(file) <= MOST_UNIT_SECONDS);
  const always: readonly string[] = tests.filter((file) => file === ALWAYS);
  const steps = stepsTo(changed, imports);
  const reached = tests
    .filter((file) => steps.has(file) && !unit.includes(file) && !always.includes(file))
    .sort((a, b) => (steps.get(a) ?? 0) - (steps.get(b) ?? 0) || secondsOf(a) - secondsOf(b));
  let left = MOST_NEAR_SECONDS;
  const near = reached.filter((file) => {
    const fits = secondsOf(file) <= left;
    if (fits) left -= secondsOf(file);
    return fits;
  });
  const isLeftOut = (file: string): boolean => !near.includes(file);
  return {
    files: [...unit, ...always, ...near],
    slow: tests.filter((file) => UNIT.test(file) && !unit.includes(file) && isLeftOut(file)),
    far: reached.filter((file) => !UNIT.test(file) && isLeftOut(file)),
  };
};

/** How many imports lie between a file and the nearest of those that changed. */
const stepsTo = (changed: readonly string[], imports: readonly Import[]): ReadonlyMap<string, number> => {
  const importers = Map.groupBy(imports, ({ to }) => to);
  const steps = new Map(changed.map((file) => [file, 0]));
  for (const [file, step] of steps) for (const by of importers.get(file) ?? []) if (!steps.has(by.file)) steps.set(by.file, step + 1);
  return steps;
};
