import type { FileFacts } from "../../lake/catalogue.ts";
import { type ComparedPairs, type Comparison, type DuplicateRows, openComparedPairs, type SharedRows } from "./compared-pairs.ts";

/** Finds the duplicates among waiting segments and files, and remembers what it found out: see `RowFiles.duplicates`. */
export interface DuplicateFinder {
  find(project: number, segments: readonly FileFacts[], files: readonly FileFacts[]): Promise<DuplicateRows>;
}

/** Compares rows: see `SharedRows` for what it gives of each pair that shares any. A segment that is on both sides is not held against itself. */
export type CompareRows = (project: number, comparison: Comparison) => Promise<readonly SharedRows[]>;

/** About the memory that the pairs of all projects take; above it those asked for least recently go. */
const MOST_BYTES = 32_000_000;

/** Segments that lack different pairs are compared apart, so that nothing is read that is known; after so many times in one go. */
const MOST_APART = 3;

export const openDuplicateFinder = (compare: CompareRows, mostBytes = MOST_BYTES): DuplicateFinder => {
  const remembered = new Map<number, ComparedPairs>();
  const weights = new Map<ComparedPairs, number>();
  const busy = new Map<number, Promise<unknown>>();

  const find = async (project: number, segments: readonly FileFacts[], files: readonly FileFacts[]): Promise<DuplicateRows> => {
    const pairs = remembered.get(project) ?? openComparedPairs();
    const asked = pairs.of(segments, files);
    try {
      for (let apart = 0; ; apart++) {
        const unknown = asked.unknown(apart < MOST_APART ? "alike" : "all");
        if (!unknown) return asked.duplicates();
        // A pair becomes known here and nowhere else: when its comparison fails, it is as unknown as before.
        unknown.found(unknown.others.length === 0 ? [] : await compare(project, unknown));
        weights.delete(pairs);
      }
    } finally {
      remember(project, pairs, segments.length + files.length);
    }
  };

  /** Projects are forgotten whole, so that of no pair one half stays; one of which most is in use stays however much it takes. */
  const remember = (project: number, pairs: ComparedPairs, inUse: number): void => {
    remembered.delete(project);
    remembered.set(project, pairs);
    let sum = 0;
    for (const each of remembered.values()) sum += pairsWeight(each);
    for (const [oldest, each] of remembered) {
      if (sum <= mostBytes) return;
      if (each === pairs && pairs.size <= 2 * inUse) return;
      remembered.delete(oldest);
      sum -= pairsWeight(each);
    }
  };

  const pairsWeight = (pairs: ComparedPairs): number => {
    const weight = weights.get(pairs) ?? pairs.bytes();
    weights.set(pairs, weight);
    return weight;
  };

  return {
    // One at a time for a project: what is being found out must not be taken for known, nor found out twice.
    find(project, segments, files) {
      if (segments.length === 0) return Promise.resolve(new Map());
      const result = (busy.get(project) ?? Promise.resolve()).then(() => find(project, segments, files));
      const settled: Promise<unknown> = result.catch(() => undefined).then(() => busy.get(project) === settled && busy.delete(project));
      busy.set(project, settled);
      return result;
    },
  };
};
