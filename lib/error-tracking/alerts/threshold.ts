import { MINUTE_MS } from "../../core/time.ts";
import { bucketAt, type IssueCounts } from "../spikes/buckets.ts";

/**
 * How many exceptions of an issue came within the last minutes. They are counted in buckets by the clock, the current one first, so
 * those count too that came before in the bucket in which the minutes began; what is older than the buckets does not.
 */
export const countWithin = (counts: readonly IssueCounts[], issueId: string, minutes: number, now: number): number => {
  const buckets = bucketAt(now) - bucketAt(now - minutes * MINUTE_MS) + 1;
  return counts.slice(0, buckets).reduce((sum, bucket) => sum + (bucket.get(issueId) ?? 0), 0);
};
