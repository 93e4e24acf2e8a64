import { cache, perOwner } from "../../core/cache.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { Rate } from "../../http/access.ts";
import { throttled } from "../../http/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Item, Key, Table } from "../../ports/table.ts";
import { TTL_ATTRIBUTE } from "../../table/layout.ts";
import { keyIn } from "../../table/partitions.ts";

interface Limit {
  readonly perMinute: number;
  readonly perHour: number;
  readonly perDay?: number;
}

/**
 * Requests that one key may make, one person at some rates, or one address where no key is needed. A run that reads a table of its own
 * costs a fraction of one that reads the events.
 */
export const LIMITS: Readonly<Record<Exclude<Rate, "none">, Limit>> = Object.freeze({
  default: { perMinute: 480, perHour: 4_800 },
  query: { perMinute: 240, perHour: 1_200 },
  run: { perMinute: 240, perHour: 2_400 },
  "materialised-run": { perMinute: 1_200, perHour: 12_000 },
  account: { perMinute: 60, perHour: 600 },
  spend: { perMinute: 10, perHour: 60, perDay: 200 },
  export: { perMinute: 10, perHour: 600 },
  suggestion: { perMinute: 10, perHour: 100, perDay: 100 },
  check: { perMinute: 60, perHour: 3_600 },
  shared: { perMinute: 60, perHour: 3_600 },
  live: { perMinute: 60, perHour: 3_600 },
});

/** A request that is being counted. */
export interface RequestCount {
  /** Throws 429. */
  readonly done: Promise<void>;
  /** Takes the request out again: it was refused for another reason. */
  undo(): Promise<void>;
}

/** Begins to count a request, so that other look-ups can go on meanwhile. */
export const startCount = (world: Pick<Ports, "table" | "clock" | "config">, who: string, rate: Rate): RequestCount => {
  const began = world.clock.now();
  const done = countRequest(world, who, rate);
  const passed = done.then(
    () => true,
    () => false,
  );
  return {
    done,
    async undo() {
      if (rate !== "none" && (await passed)) await count(world.table, throttleKey(who, rate), limitedSpans(rate), began, -1, []);
    },
  };
};

/** A window in the buckets that it slides by: its unit in the item, a bucket's length and how many make the window. */
interface Span {
  readonly unit: string;
  readonly bucketMs: number;
  readonly buckets: number;
  readonly limitOf: (limit: Limit) => number | undefined;
}

const SPANS: readonly Span[] = [
  { unit: "s", bucketMs: SECOND_MS, buckets: 60, limitOf: ({ perMinute }) => perMinute },
  { unit: "m", bucketMs: MINUTE_MS, buckets: 60, limitOf: ({ perHour }) => perHour },
  { unit: "h", bucketMs: HOUR_MS, buckets: 24, limitOf: ({ perDay }) => perDay },
];

/**
 * Counts a request of `who` at a rate, or throws 429 with the time until one would pass. Windows slide by their buckets. An admitted
 * request costs one call; a refusal is remembered, so that until it ends further requests cost none and do not push it out.
 */
export const countRequest = async (
  { table, clock, config }: Pick<Ports, "table" | "clock" | "config">,
  who: string,
  rate: Rate,
): Promise<void> => {
  if (rate === "none") return;
  const key = throttleKey(who, rate);
  const notes = noteCache(table);
  const now = clock.now();
  const note = notes.get(key.pk);
  if (note && note.at <= now && now < note.refusedUntil) throw throttled((note.refusedUntil - now) / SECOND_MS);

  const spans = limitedSpans(rate);
  const item = await count(table, key, spans, now, 1, note?.stale ?? []);
  const buckets = readBuckets(item);
  const windows = spans.map((span) => windowAt(span, buckets, scaled(span.limitOf(LIMITS[rate]) ?? 0, config.throttleScale), now));
  const waitMs = untilOnePasses(windows, now);
  const stale = buckets.filter(({ unit, number }) => spans.some((span) => span.unit === unit && isStale(span, number, now)));
  notes.set(key.pk, { at: now, refusedUntil: now + waitMs, stale: stale.map((bucket) => bucket.name) });
  if (waitMs === 0) return;
  await count(table, key, spans, now, -1, []);
  throw throttled(waitMs / SECOND_MS);
};

const limitedSpans = (rate: Exclude<Rate, "none">): readonly Span[] => SPANS.filter(({ limitOf }) => limitOf(LIMITS[rate]) !== undefined);

/** Where the requests of `who`, a kind and a name, are counted. */
const throttleKey = (who: string, rate: Rate): Key => {
  const at = who.indexOf("#");
  return keyIn("throttle", "throttle", { kind: who.slice(0, at), who: who.slice(at + 1), rate });
};

/** The item outlives its longest window by a little, seconds. */
const OUTLIVES_S = 100;

const scaled = (limit: number, scale: number): number => Math.max(1, Math.floor(limit * scale));

const bucketAt = ({ bucketMs }: Span, now: number): number => Math.floor(now / bucketMs);

/** The number of the oldest bucket that counts. */
const oldestBucket = (span: Span, now: number): number => bucketAt(span, now) - span.buckets + 1;

/** Whether a bucket counts no more, or lies further ahead than clocks of functions differ: ours was set back since. */
const isStale = (span: Span, number: number, now: number): boolean =>
  number < oldestBucket(span, now) || number > bucketAt(span, now) + span.buckets;

const count = (table: Table, key: Key, spans: readonly Span[], now: number, by: number, remove: readonly string[]): Promise<Item> => {
  const longestS = Math.max(...spans.map(({ bucketMs, buckets }) => (bucketMs * buckets) / SECOND_MS));
  const add = Object.fromEntries(spans.map((span) => [`${span.unit}${bucketAt(span, now)}`, by]));
  return table.update(key, {
    set: { entity: "throttle", v: 1, [TTL_ATTRIBUTE]: Math.floor(now / SECOND_MS) + longestS + OUTLIVES_S },
    add,
    // A clock that was set comes to a bucket that was stale before.
    remove: remove.filter((name) => !(name in add)),
  });
};

interface Bucket {
  readonly name: string;
  readonly unit: string;
  readonly number: number;
  readonly requests: number;
}

const BUCKET = /^([smh])(\d+)$/;

const readBuckets = (item: Item): readonly Bucket[] =>
  Object.entries(item).flatMap(([name, requests]) => {
    const [, unit, number] = BUCKET.exec(name) ?? [];
    return unit === undefined || typeof requests !== "number" ? [] : [{ name, unit, number: Number(number), requests }];
  });

/** A window as a request finds it that stands in it already. */
interface Window {
  /** Requests above the limit. */
  readonly excess: number;
  /** When its oldest requests leave it. */
  readonly makesRoomAt: number;
}

/** What was counted ahead of now, before a clock was set back, stands in no window: it would until the clock is there again. */
const windowAt = (span: Span, all: readonly Bucket[], limit: number, now: number): Window => {
  const [first, last] = [oldestBucket(span, now), bucketAt(span, now)];
  const isInside = ({ unit, number }: Bucket): boolean => unit === span.unit && first <= number && number <= last;
  const inside = all.filter((bucket) => bucket.requests > 0 && isInside(bucket));
  const oldest = Math.min(...inside.map(({ number }) => number));
  return {
    excess: inside.reduce((sum, { requests }) => sum + requests, 0) - limit,
    makesRoomAt: (oldest + span.buckets) * span.bucketMs,
  };
};

/**
 * Milliseconds until a request would pass, 0 for one that passes now. Others that are refused at the same moment stand in each window, too,
 * until they are taken out. So a window is full only where none is exceeded by more, and has room as soon as one request leaves it.
 */
const untilOnePasses = (windows: readonly Window[], now: number): number => {
  const most = Math.max(...windows.map(({ excess }) => excess));
  if (most <= 0) return 0;
  return Math.max(...windows.filter(({ excess }) => excess === most).map(({ makesRoomAt }) => makesRoomAt)) - now;
};

interface Note {
  /** A clock that was set back before it knows of no refusal. */
  readonly at: number;
  readonly refusedUntil: number;
  /** Buckets to remove with the next count. */
  readonly stale: readonly string[];
}

const noteCache = perOwner((_: Table) => cache<string, Note>({ capacity: 10_000 }));
