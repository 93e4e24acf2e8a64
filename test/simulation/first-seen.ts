import type { Safeguard } from "./safeguards.ts";
import { simulate } from "./simulate.ts";

/** The seeds among which each missing safeguard has to show. */
export const ENOUGH = 2_000;

/** Where the lack of a safeguard was seen that takes many seeds. It moves when the scenarios do; then the search finds it again. */
const LAST_SEEN: Partial<Record<Safeguard, number>> = {
  "types condition": 23,
  "swap's condition on removal": 155,
  "swap's bound of time": 5,
  "stay of commits": 19,
  "long stay of commits": 6,
  "age of orphans": 101,
  "retired files in audits": 5,
  "deltas before their commit": 468,
  "corrections of dropped copies": 26,
  "order by place in a request": 80,
  "comparison of every pair": 84,
  "acknowledge after commit": 4,
  "receive time in the message": 6,
  "published tables in deletions": 5,
  "swap's condition on removed rows": 1_167,
  "removed rows among those that wait": 19,
  "skipped rows are copies of nothing": 11,
  "persons without what removed rows said": 615,
  "reminder of removed rows": 43,
};

/** Something that goes wrong without a safeguard: where it was seen last, else in the first seed that shows it. */
export const seenAnywhere = async (missing: Safeguard): Promise<string | undefined> => {
  const { failure } = await simulate(LAST_SEEN[missing] ?? 1, { missing });
  if (failure) return failure.message;
  const seen = await firstSeen(missing);
  if (seen) console.warn(`Write ${seen.seed} for "${missing}" in LAST_SEEN, so that its first schedule does not have to be searched for.`);
  return seen?.what;
};

/** The first seed in which something goes wrong without a safeguard, and what; null when there is none among `ENOUGH`. */
export const firstSeen = async (missing: Safeguard): Promise<{ readonly seed: number; readonly what: string } | null> => {
  for (let seed = 1; seed <= ENOUGH; seed += 1) {
    const { failure } = await simulate(seed, { missing });
    if (failure) return { seed, what: failure.message };
  }
  return null;
};
