import type { Clock } from "../../../lib/ports/clock.ts";
import { ProviderFailure } from "./call.ts";

/** After so many refusals in a row a token is taken to be revoked. */
const MOST_REFUSALS = 3;

/** How long it is not tried then, milliseconds. */
const PAUSE_MS = 10 * 60_000;

/** Remembers, as long as the process lives, whether the deployment's own token still opens anything. */
export const publicToken = () => {
  let refusals = 0;
  let resting = 0;
  return {
    isUsable: (clock: Clock): boolean => clock.now() >= resting,
    /** Does what the token is for, and notes what came of it. */
    async use<T>(clock: Clock, ask: () => Promise<T>): Promise<T> {
      try {
        const found = await ask();
        refusals = 0;
        return found;
      } catch (error) {
        refusals = error instanceof ProviderFailure && error.status === 401 ? refusals + 1 : refusals;
        if (refusals >= MOST_REFUSALS) {
          resting = clock.now() + PAUSE_MS;
          refusals = 0;
        }
        throw error;
      }
    },
  };
};
