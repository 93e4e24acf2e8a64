import fc from "fast-check";
import type { FakeStripe } from "../support/fakes/stripe-server.ts";
import { type WalkCommand, walks } from "./commands.ts";
import { openWalk } from "./walk.ts";

/** Walks at once: some wait for the client, which pauses before it repeats a call whose connection broke. */
const AT_ONCE = 8;

interface Share {
  readonly from: number;
  readonly walks: number;
  readonly stride: number;
}

/** After so many failures there is nothing new to be seen. */
const ENOUGH = 3;

/** Runs the walks of some seeds. Each failure is told with its seed and its walk; a single one with the shortest walk that fails as well. */
export const runWalks = async (stripe: FakeStripe, { from, walks: count, stride }: Share) => {
  const failures: string[] = [];
  let commands = 0;
  let next = from;
  const property = fc.asyncProperty(walks, async (all: readonly WalkCommand[]) => {
    const walk = await openWalk(stripe);
    for (const command of all) await walk.take(command);
    commands += all.length;
    await walk.end();
  });
  const work = async (): Promise<void> => {
    for (let seed = next; seed < from + count && failures.length < ENOUGH; seed = next) {
      next += stride;
      const details = await fc.check(property, { seed, numRuns: 1, endOnFailure: count > 1 });
      if (details.failed) failures.push(`walk ${seed}: ${String(details.errorInstance)}\n${JSON.stringify(details.counterexample)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { commands, failures };
};
