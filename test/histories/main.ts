import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { history } from "./history.ts";
import { live } from "./live.ts";

/**
 * `npm run histories -- --histories N [--from SEED] [--shrink SECONDS]`: lives random histories of a customer's books, and says of each
 * that differs from what the rules say its seed and the smallest difference that it was reduced to.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      histories: { type: "string", default: "100" },
      from: { type: "string", default: "1" },
      shrink: { type: "string", default: "20" },
    },
  });
  const [histories, from] = [Number(values.histories), Number(values.from)];
  const began = performance.now();
  let failed = 0;
  for (let seed = from; seed < from + histories; seed += 1) {
    const found = await differenceOf(seed, Number(values.shrink) * 1_000);
    if (found === null) continue;
    failed += 1;
    console.log(`seed ${seed}: ${found.first}`);
    if (found.least !== found.first) console.log(`  reduced: ${found.least}`);
    if (histories === 1) console.log(found.history);
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${histories} histories from ${from}, ${failed} differ, ${seconds.toFixed(1)} s`);
  if (failed > 0) process.exitCode = 1;
};

/** The difference that a seed's history shows, and the one that is left of it when the history is reduced. */
const differenceOf = async (seed: number, shrinkMs: number) => {
  let first: string | undefined;
  const property = fc.asyncProperty(history, async (given) => {
    try {
      await live(given);
    } catch (error) {
      first ??= String(error);
      throw error;
    }
  });
  const result = await fc.check(property, {
    seed,
    numRuns: 1,
    endOnFailure: shrinkMs === 0,
    interruptAfterTimeLimit: shrinkMs === 0 ? 600_000 : shrinkMs,
  });
  if (first === undefined) return null;
  return { first, least: String(result.errorInstance), history: fc.stringify(result.counterexample) };
};

await main();
