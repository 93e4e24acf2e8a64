import type { ProcessGroup } from "../support/processes/process-group.ts";
import { type Learnt, Ran, Simulated, testRunner } from "./learn.ts";
import type { Mutant } from "./mutants.ts";
import { answerOf, environmentOf, start } from "./processes.ts";
import type { Sources } from "./sources.ts";
import type { Order } from "./tests-process.ts";

/** What noticed a mutant: a test, a seed, or the time that it takes; or nothing. */
export type Fate =
  | { readonly kind: "tests" | "simulation"; readonly by: string }
  | { readonly kind: "survived"; readonly reached: boolean };

/** Test files that are as quick as this run before the simulation. */
const QUICK_MS = 2_000;
/** A machine that others use, too, is slower by turns; what takes so much longer than without a mutant has no end. */
const PATIENCE = 5;
const PATIENCE_MS = 30_000;

/** Asks of one mutant after another whether it is noticed, the quickest first. */
export interface Killer {
  fateOf(mutant: Mutant): Promise<Fate>;
  end(): void;
}

export const killer = (sources: Sources, learnt: Learnt): Killer => {
  let runner: ProcessGroup | undefined;
  const stop = (): void => {
    runner?.end();
    runner = undefined;
  };

  const byTests = async (mutant: Mutant, tests: Learnt["tests"]): Promise<Fate | null> => {
    if (tests.length === 0) return null;
    runner ??= await testRunner(sources);
    const order: Order = { files: tests.map(({ file }) => file), env: { MUTATE_ID: String(mutant.id) } };
    runner.child.send(order);
    const limit = tests.reduce((sum, { ms }) => sum + ms, 0) * PATIENCE + PATIENCE_MS;
    const ran = Ran.safeParse(await answerOf(runner.child, limit));
    if (!ran.success) {
      stop();
      return { kind: "tests", by: "time" };
    }
    return ran.data.passed ? null : { kind: "tests", by: ran.data.by };
  };

  const bySeeds = async (mutant: Mutant): Promise<Fate | null> => {
    const seeds = seedsOf(learnt, mutant);
    if (seeds.length === 0 || learnt.simulation === null) return null;
    const env = { ...environmentOf(sources), MUTATE_ID: String(mutant.id) };
    const group = start("simulation-process.ts", [JSON.stringify({ seeds, reached: false })], env);
    const simulated = Simulated.safeParse(await answerOf(group.child, learnt.simulation.ms * PATIENCE + PATIENCE_MS));
    group.end();
    if (!simulated.success) return { kind: "simulation", by: "time or end" };
    return simulated.data.failed === null ? null : { kind: "simulation", by: `seed ${simulated.data.failed}` };
  };

  return {
    async fateOf(mutant) {
      const reaching = learnt.tests.filter(({ reached }) => reached.includes(mutant.id));
      const quick = reaching.filter(({ ms }) => ms <= QUICK_MS);
      const slow = reaching.filter(({ ms }) => ms > QUICK_MS);
      const reached = reaching.length > 0 || seedsOf(learnt, mutant).length > 0;
      return (
        (await byTests(mutant, quick)) ??
        (await bySeeds(mutant)) ??
        (await byTests(mutant, slow)) ??
        ({ kind: "survived", reached } as const)
      );
    },
    end: stop,
  };
};

/** The seeds that get to a mutant; another one runs as it does without. */
const seedsOf = ({ simulation }: Learnt, { id }: Mutant): readonly number[] => {
  if (simulation === null) return [];
  const always = simulation.loaded.includes(id);
  return simulation.bySeed.flatMap((reached, at) => (always || reached.includes(id) ? [at + 1] : []));
};
