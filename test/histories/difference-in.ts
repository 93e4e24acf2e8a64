import * as fc from "fast-check";
import { history } from "./history.ts";
import { live } from "./live.ts";

/** More than any reduction takes, milliseconds. */
const NEVER_MS = 600_000;

/**
 * The difference that the history of a seed shows, and the one that is left of it when the history is reduced for some milliseconds; null
 * where both say the same.
 */
export const differenceIn = async (seed: number, shrinkMs: number) => {
  let first: string | undefined;
  const property = fc.asyncProperty(history, async (given) => {
    try {
      await live(given);
    } catch (error) {
      first ??= String(error);
      throw error;
    }
  });
  const bounds = shrinkMs === 0 ? { endOnFailure: true, interruptAfterTimeLimit: NEVER_MS } : { interruptAfterTimeLimit: shrinkMs };
  const result = await fc.check(property, { seed, numRuns: 1, ...bounds });
  if (first === undefined) return null;
  return { first, least: String(result.errorInstance), history: fc.stringify(result.counterexample) };
};
