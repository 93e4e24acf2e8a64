import { cache } from "../core/cache.ts";
import { SECOND_MS } from "../core/time.ts";
import { throttled } from "../http/errors.ts";

/** Keys that do not exist, as a process met them lately, and how many of them each source tried. */
export interface Guesses {
  /** Whether nobody had this key a moment ago, so that the table need not be asked again. */
  isKnownWrong(keyHash: string, now: number): boolean;
  /** Counts a look-up of a key that the process does not know, or throws 429 where its source has tried too many wrong ones. */
  admit(source: string, now: number): void;
  wrong(keyHash: string, source: string, now: number): void;
}

/** A key's value is random, so nobody can present it before it is made: to forget it for a moment wrongs nobody. */
const WRONG_MS = 5_000;
/** Different wrong keys that one source may try, and how soon it gets one more: mistakes pass, a list of guesses does not. */
const MOST_WRONG = 200;
const ONE_MORE_MS = 100;
/** Whoever invents keys or comes from everywhere must not fill the memory. */
const CAPACITY = 10_000;

export const openGuesses = (): Guesses => {
  const wrongKeys = cache<string, true>({ capacity: CAPACITY });
  /** By source: when all of its wrong keys will be forgiven. */
  const forgivenAt = cache<string, number>({ capacity: CAPACITY });
  return {
    isKnownWrong: (keyHash, now) => wrongKeys.get(keyHash, now) === true,
    admit(source, now) {
      const waitMs = (forgivenAt.get(source) ?? 0) - now - (MOST_WRONG - 1) * ONE_MORE_MS;
      if (waitMs > 0) throw throttled(waitMs / SECOND_MS);
    },
    wrong(keyHash, source, now) {
      wrongKeys.set(keyHash, true, now + WRONG_MS);
      forgivenAt.set(source, Math.max(now, forgivenAt.get(source) ?? 0) + ONE_MORE_MS);
    },
  };
};
