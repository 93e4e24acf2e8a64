import type { Safeguard } from "./safeguards.ts";
import { simulate } from "./simulate.ts";

/** The seeds among which each missing safeguard has to show. */
export const ENOUGH = 2_000;

/** The first seed in which something goes wrong without a safeguard, and what; null when there is none among `ENOUGH`. */
export const firstSeen = async (missing: Safeguard): Promise<{ readonly seed: number; readonly what: string } | null> => {
  for (let seed = 1; seed <= ENOUGH; seed += 1) {
    const { failure } = await simulate(seed, { missing });
    if (failure) return { seed, what: failure.message };
  }
  return null;
};
