/** How many of something may pass: `capacity` at once, and as many again in `periodMs`. */
export interface Limit {
  readonly capacity: number;
  readonly periodMs: number;
}

/** The rest of a limit at a moment. Thousandths of a token, because less than one comes back between two drains. */
export interface TokenBucket {
  readonly thousandths: number;
  readonly at: number;
  /** Grants by delivery, the latest last: a delivery that comes again gets the same answer and takes nothing. */
  readonly grants: readonly (readonly [delivery: string, granted: number])[];
}

export const fullBucket = ({ capacity }: Limit, now: number): TokenBucket => ({ thousandths: capacity * 1_000, at: now, grants: [] });

/** Deliveries that are remembered; a message that comes again comes within minutes. */
const MAX_GRANTS = 500;

/** Grants each delivery as many as are left. */
export const take = (
  bucket: TokenBucket,
  { capacity, periodMs }: Limit,
  wanted: ReadonlyMap<string, number>,
  now: number,
): { readonly bucket: TokenBucket; readonly granted: ReadonlyMap<string, number> } => {
  const full = capacity * 1_000;
  const refill = Math.floor((Math.max(0, now - bucket.at) / periodMs) * full);
  let thousandths = Math.min(full, bucket.thousandths + refill);
  // The time that gave no whole thousandth is not lost: it counts the next time.
  const at = thousandths === full ? now : Math.min(now, bucket.at + Math.ceil((refill / full) * periodMs));
  const grants = new Map(bucket.grants);
  const granted = new Map<string, number>();
  for (const [delivery, count] of wanted) {
    const before = grants.get(delivery);
    const given = Math.min(count, before ?? Math.floor(thousandths / 1_000));
    granted.set(delivery, given);
    if (before !== undefined) continue;
    thousandths -= given * 1_000;
    grants.set(delivery, given);
  }
  return { bucket: { thousandths, at, grants: [...grants].slice(-MAX_GRANTS) }, granted };
};
