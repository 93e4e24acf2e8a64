import { cache } from "../core/cache.ts";
import { DAY_MS, DAY_US, SECOND_MS } from "../core/time.ts";
import { QueryError } from "./errors.ts";

/** A change of a zone's offset from UTC; all microseconds. */
export interface Transition {
  readonly at: bigint;
  readonly before: bigint;
  readonly after: bigint;
}

/** No zone has gone back and forth within less: the shortest pause known is Ramadan's four weeks. */
const PROBE_MS = 10 * DAY_MS;

/** Offsets of one zone, found through `Intl` (about 1 ms a year) and kept: they depend on nothing else. */
export interface Zone {
  readonly name: string;
  /** Microseconds to add to UTC to get the zone's wall clock at that moment. */
  offsetAt(micros: bigint): bigint;
  /** Microseconds to take from a wall clock's reading to get UTC; the earlier of two moments, the later edge of a gap. */
  offsetOfLocal(local: bigint): bigint;
  /** Changes with `from` <= at < `to`. */
  transitions(from: bigint, to: bigint): readonly Transition[];
}

/** Zones kept per process, of about 400: one that was asked about all its years takes a megabyte. */
const MAX_ZONES = 100;
/** Years kept per zone: more than the events of any project have. */
const MAX_YEARS = 4_000;

const zones = cache<string, Zone>({ capacity: MAX_ZONES });

/** The zone of an IANA name. Throws `QueryError` for a name that is none. */
export const timeZone = (name: string): Zone => {
  if (name === "UTC") return UTC;
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = intlZone(name);
  zones.set(name, zone);
  return zone;
};

/**
 * Clocks that did not keep to quarters of an hour at some time since 1973: most were put forward or back a minute past midnight, one was
 * ten hours and forty minutes behind. A test looks at all the zones that the runtime knows.
 */
const WITHIN_QUARTERS: ReadonlySet<string> = new Set([
  "America/Goose_Bay",
  "America/Moncton",
  "America/St_Johns",
  "Antarctica/Casey",
  "Asia/Gaza",
  "Asia/Hebron",
  "Canada/Newfoundland",
  "Pacific/Guam",
  "Pacific/Kiritimati",
  "Pacific/Saipan",
]);

/** Whether days and hours of the zone's wall clock began with a quarter of an hour of UTC, ever since 1973. */
export const keepsQuarters = ({ name }: Pick<Zone, "name">): boolean => !WITHIN_QUARTERS.has(name);

const UTC: Zone = { name: "UTC", offsetAt: () => 0n, offsetOfLocal: () => 0n, transitions: () => [] };

const intlZone = (name: string): Zone => {
  const formatter = zoneFormatter(name);
  const offsetMs = (ms: number): number => parseOffset(formatter.format(ms));
  const years = cache<number, Year>({ capacity: MAX_YEARS });
  const ofYear = (year: number): Year => {
    const known = years.get(year);
    if (known !== undefined) return known;
    const fresh = findYear(offsetMs, year);
    years.set(year, fresh);
    return fresh;
  };
  const transitions = (from: bigint, to: bigint): readonly Transition[] => {
    const found: Transition[] = [];
    for (let year = yearIn(from); year <= yearIn(to); year++) found.push(...ofYear(year).transitions);
    return found.filter(({ at }) => at >= from && at < to);
  };
  const offsetAt = (micros: bigint): bigint => {
    const year = ofYear(yearIn(micros));
    return year.transitions.findLast(({ at }) => at <= micros)?.after ?? year.start;
  };
  return {
    name,
    transitions,
    offsetAt,
    offsetOfLocal: (local) => {
      const near = transitions(local - DAY_US, local + DAY_US)[0];
      if (near === undefined) return offsetAt(local);
      return local < localEdge(near) ? near.before : near.after;
    },
  };
};

/**
 * The reading of the wall clock from which on the offset after a change holds. A day whose midnight a clock skips begins with
 * the change, so that midnight still has the offset before.
 */
export const localEdge = ({ at, before, after }: Transition): bigint => {
  const reading = at + before;
  return after > before && reading % DAY_US === 0n ? reading + 1n : reading;
};

const zoneFormatter = (name: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset", year: "numeric" });
  } catch {
    throw new QueryError("invalid_input", "Unknown time zone: use a name such as `Europe/Berlin`.");
  }
};

/** "1/1/2024, GMT-04:56:02" in milliseconds. */
const parseOffset = (text: string): number => {
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text);
  if (match === null) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return (match[1] === "-" ? -seconds : seconds) * SECOND_MS;
};

const yearIn = (micros: bigint): number => {
  const year = new Date(Number(micros / 1000n)).getUTCFullYear();
  if (!(year >= 0 && year <= 9999))
    throw new QueryError("invalid_input", "A time of the query is out of range: years 0 to 9999 are known.");
  return year;
};

interface Year {
  /** The offset with which it starts. */
  readonly start: bigint;
  readonly transitions: readonly Transition[];
}

/** `Date.UTC` takes the first hundred years for those of the twentieth century. */
const startOfYear = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);

const findYear = (offsetMs: (ms: number) => number, year: number): Year => {
  const found: Transition[] = [];
  const end = startOfYear(year + 1);
  let from = startOfYear(year);
  let before = offsetMs(from);
  const start = BigInt(before) * 1000n;
  while (from < end) {
    const to = Math.min(from + PROBE_MS, end);
    const after = offsetMs(to);
    if (after !== before) {
      const at = bisect(offsetMs, from, to, before);
      found.push({ at: BigInt(at) * 1000n, before: BigInt(before) * 1000n, after: BigInt(after) * 1000n });
    }
    from = to;
    before = after;
  }
  return { start, transitions: found };
};

/** The first whole second in (low, high] whose offset is no longer `before`. */
const bisect = (offsetMs: (ms: number) => number, from: number, to: number, before: number): number => {
  let low = from / SECOND_MS;
  let high = to / SECOND_MS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle * SECOND_MS) === before) low = middle;
    else high = middle;
  }
  return high * SECOND_MS;
};
