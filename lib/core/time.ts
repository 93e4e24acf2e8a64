/** ISO 8601 with microseconds and `Z`, as the API's timestamps read: `2026-01-12T09:14:03.512000Z`. */
export const isoMicros = (ms: number): string => new Date(ms).toISOString().replace("Z", "000Z");

/** The same of microseconds since 1970. */
export const isoOfMicros = (micros: bigint): string => {
  const ms = (micros - (((micros % 1_000n) + 1_000n) % 1_000n)) / 1_000n;
  return new Date(Number(ms)).toISOString().replace("Z", `${String(micros - ms * 1_000n).padStart(3, "0")}Z`);
};

/** The same moment with a numeric offset: `2026-01-12T09:14:03.512000+00:00`. */
export const withOffset = (iso: string): string => iso.replace(/Z$/, "+00:00");

/** To the second, as billing and results of queries write it: `2026-07-09T00:00:00Z`. */
export const isoSeconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/** The date of a day since 1970: `2026-07-09`. */
export const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, "2026-07-09".length);

/** Milliseconds since 1970 of an ISO 8601 moment; without an offset it is UTC. */
export const parseInstant = (iso: string): number => Date.parse(OFFSET.test(iso) ? iso : `${iso}Z`);

const OFFSET = /(Z|[+-]\d\d:?\d\d)$/;

/** Microseconds of a day and of an hour. */
export const DAY_US = 86_400_000_000n;
export const HOUR_US = 3_600_000_000n;

/** Milliseconds. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** What is dated further ahead than clocks of functions differ was made before a clock was set back: its age is not known. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

/** Whether what was made at some time is not older than its lifetime, all in milliseconds. */
export const isYoung = (madeAt: number, lifetimeMs: number, now: number): boolean =>
  madeAt <= now + CLOCKS_DIFFER_MS && now < madeAt + lifetimeMs;

/** ISO 8601, UTC, as timestamps of organizations and their parts read: microseconds, left out where they are zero. */
export const isoBrief = (iso: string): string => {
  const exact = isoMicros(Date.parse(iso));
  return exact.replace(".000000Z", "Z");
};

/** The earlier of two times that are written alike. */
export const earlier = (a: string, b: string): string => (a < b ? a : b);
