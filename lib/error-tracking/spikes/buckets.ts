/** Exceptions are counted in five minutes by the clock, and compared with the hour before. */
export const BUCKET_MS = 300_000;
export const BUCKETS = 12;

/** The number of the bucket that a moment lies in. */
export const bucketAt = (now: number): number => Math.floor(now / BUCKET_MS);

/** Exceptions by issue in one bucket. */
export type IssueCounts = ReadonlyMap<string, number>;

/** When a burst is a spike. */
export interface SpikeRule {
  readonly multiplier: number;
  readonly threshold: number;
}

/** For a project that has set nothing: ten times the baseline, at least 500 in five minutes, reported once in ten minutes. */
export const DEFAULT_SPIKE_DETECTION = Object.freeze({ snooze_duration_minutes: 10, multiplier: 10, threshold: 500 });

export interface Spike {
  readonly issueId: string;
  readonly current: number;
  readonly baseline: number;
}

/** The spikes among some issues; `counts` begins with the current bucket. */
export const findSpikes = (issues: Iterable<string>, counts: readonly IssueCounts[], rule: SpikeRule): readonly Spike[] => {
  const [current, ...previous] = counts;
  const spikes: Spike[] = [];
  let ofProject: number | undefined;
  for (const issueId of issues) {
    const count = current?.get(issueId) ?? 0;
    if (count < rule.threshold) continue;
    const own = previous.flatMap((bucket) => bucket.get(issueId) ?? []);
    if (own.length === 0) ofProject ??= projectBaseline(previous);
    const baseline = own.length > 0 ? mean(own) : (ofProject ?? 0);
    if (count > baseline * rule.multiplier) spikes.push({ issueId, current: count, baseline });
  }
  return spikes;
};

/** The average of an issue of the project in a bucket, with which an issue without a history is compared. */
const projectBaseline = (buckets: readonly IssueCounts[]): number =>
  mean(buckets.flatMap((bucket) => (bucket.size === 0 ? [] : sum([...bucket.values()]) / bucket.size)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);
