import { cache, ownedBy } from "../core/cache.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { Rate } from "../http/access.ts";
import { throttled } from "../http/errors.ts";
import type { Item, Table } from "../ports/table.ts";
import { TTL_ATTRIBUTE } from "../table/layout.ts";
import type { World } from "../world/world.ts";

/** Requests that one key may make. A run that reads a table of its own costs a fraction of one that reads the events. */
export const LIMITS: Readonly<Record<Exclude<Rate, "none">, { readonly perMinute: number; readonly perHour: number }>> = Object.freeze({
  default: { perMinute: 480, perHour: 4_800 },
  query: { perMinute: 240, perHour: 1_200 },
  run: { perMinute: 240, perHour: 2_400 },
  "materialised-run": { perMinute: 1_200, perHour: 12_000 },
});

/** A request that is being counted. */
export interface RequestCount {
  /** Throws 429. */
  readonly done: Promise<void>;
  /** Takes the request out again: it was refused for another reason. */
  undo(): Promise<void>;
}

/** Begins to count a request, so that other look-ups can go on meanwhile. */
export const startCount = (world: Pick<World, "table" | "clock" | "config">, who: string, rate: Rate): RequestCount => {
  const began = world.clock.now();
  const done = countRequest(world, who, rate);
  const passed = done.then(
    () => true,
    () => false,
  );
  return {
    done,
    async undo() {
      if (rate !== "none" && (await passed)) await count(world.table, nameOf(who, rate), began, -1, []);
    },
  };
};

/**
 * Counts a request of `who` at a rate, or throws 429 with the time until one would pass. Windows slide in 60 steps. An admitted
 * request costs one call; a refusal is remembered, so that until it ends further requests cost none and do not push it out.
 */
export const countRequest = async (
  { table, clock, config }: Pick<World, "table" | "clock" | "config">,
  who: string,
  rate: Rate,
): Promise<void> => {
  if (rate === "none") return;
  const name = nameOf(who, rate);
  const notes = notesOf(table);
  const now = clock.now();
  const note = notes.get(name);
  if (note && note.refusedUntil > now) throw throttled((note.refusedUntil - now) / SECOND_MS);

  const item = await count(table, name, now, 1, note?.stale ?? []);
  const windows = windowsOf(item, now);
  const waitMs = Math.max(
    wait(windows.minute, scaled(LIMITS[rate].perMinute, config.throttleScale), SECOND_MS, now),
    wait(windows.hour, scaled(LIMITS[rate].perHour, config.throttleScale), MINUTE_MS, now),
  );
  notes.set(name, { refusedUntil: now + waitMs, stale: windows.stale });
  if (waitMs === 0) return;
  await count(table, name, now, -1, []);
  throw throttled(waitMs / SECOND_MS);
};

const nameOf = (who: string, rate: Rate): string => `throttle#${who}#${rate}`;

/** Buckets of a window: 60 seconds make its minute, 60 minutes its hour. */
const BUCKETS = 60;
/** The item outlives its longest window by a little. */
const LIFETIME_S = 3_700;

const scaled = (limit: number, scale: number): number => Math.max(1, Math.floor(limit * scale));

/** Bucket number → requests, the oldest first. */
type Window = readonly (readonly [number, number])[];

const count = (table: Table, name: string, now: number, by: number, remove: readonly string[]): Promise<Item> =>
  table.update(
    { pk: name, sk: "throttle" },
    {
      set: { entity: "throttle", v: 1, [TTL_ATTRIBUTE]: Math.floor(now / SECOND_MS) + LIFETIME_S },
      add: { [`s${Math.floor(now / SECOND_MS)}`]: by, [`m${Math.floor(now / MINUTE_MS)}`]: by },
      remove,
    },
  );

const BUCKET = /^([sm])(\d+)$/;

const windowsOf = (item: Item, now: number): { readonly minute: Window; readonly hour: Window; readonly stale: readonly string[] } => {
  const buckets = Object.entries(item).flatMap(([name, value]) => {
    const [, unit, number] = BUCKET.exec(name) ?? [];
    return unit === undefined || typeof value !== "number" ? [] : [{ name, unit, number: Number(number), value }];
  });
  const first = { s: Math.floor(now / SECOND_MS) - BUCKETS + 1, m: Math.floor(now / MINUTE_MS) - BUCKETS + 1 };
  const inside = (unit: "s" | "m"): Window =>
    buckets
      .filter((bucket) => bucket.unit === unit && bucket.number >= first[unit])
      .map((bucket) => [bucket.number, bucket.value] as const)
      .sort((a, b) => a[0] - b[0]);
  const isStale = (bucket: { readonly unit: string; readonly number: number }) => bucket.number < (bucket.unit === "s" ? first.s : first.m);
  return { minute: inside("s"), hour: inside("m"), stale: buckets.filter(isStale).map((bucket) => bucket.name) };
};

/** Milliseconds until a request would pass, 0 for one that passes now. The window holds this request already. */
const wait = (window: Window, limit: number, unitMs: number, now: number): number => {
  let excess = window.reduce((sum, [, requests]) => sum + requests, 0) - limit;
  if (excess <= 0) return 0;
  for (const [number, requests] of window) {
    excess -= requests;
    if (excess <= 0) return (number + BUCKETS) * unitMs - now;
  }
  return BUCKETS * unitMs;
};

interface Note {
  readonly refusedUntil: number;
  /** Buckets to remove with the next count. */
  readonly stale: readonly string[];
}

const notesOf = ownedBy((_: Table) => cache<string, Note>({ capacity: 10_000 }));
