/** ISO 8601 with microseconds and `Z`, as the API's timestamps read: `2026-01-12T09:14:03.512000Z`. */
export const isoMicros = (ms: number): string => new Date(ms).toISOString().replace("Z", "000Z");

/** The same moment with a numeric offset: `2026-01-12T09:14:03.512000+00:00`. */
export const withOffset = (iso: string): string => iso.replace(/Z$/, "+00:00");

/** Microseconds of a day and of an hour. */
export const DAY_US = 86_400_000_000n;
export const HOUR_US = 3_600_000_000n;

/** Milliseconds. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** ISO 8601, UTC, as timestamps of organizations and their parts read: microseconds, left out where they are zero. */
export const isoBrief = (iso: string): string => {
  const exact = isoMicros(Date.parse(iso));
  return exact.replace(".000000Z", "Z");
};
