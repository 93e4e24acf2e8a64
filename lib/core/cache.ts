export interface CacheOptions<T> {
  /** Weight of everything that is kept; the value that was used longest ago goes first. */
  readonly capacity: number;
  /** The weight of a value; 1 when left out, so that the capacity is a number of values. */
  weigh?(value: T): number;
}

/**
 * A bounded memory of a process. Times are milliseconds and the caller's: nothing here looks at a clock. Where theirs was set back, what is
 * kept until some time is forgotten: it would be kept for that much longer.
 */
export interface Cache<K, T> {
  /** The kept value, unless `now` is past the time that it was kept until. */
  get(key: K, now?: number): T | undefined;
  /** Keeps a value, for ever when no end is given: as far as there is room. */
  set(key: K, value: T, until?: number): void;
  /** The kept value, or the one that `find` finds, kept for `lifetimeMs` from `now`. What was not found is never kept. */
  of<F extends T | undefined>(key: K, now: number, lifetimeMs: number, find: () => Promise<F>): Promise<T | F>;
  delete(key: K): void;
  clear(): void;
}

interface Entry<T> {
  readonly value: T;
  readonly until: number;
  readonly weight: number;
}

/** A caller may have read the clock this long before another: who answers a request asks as of its beginning. */
const BEHIND_MS = 60_000;

export const cache = <K, T>({ capacity, weigh = () => 1 }: CacheOptions<T>): Cache<K, T> => {
  const entries = new Map<K, Entry<T>>();
  let held = 0;
  const drop = (key: K): void => {
    held -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  let latest = Number.NEGATIVE_INFINITY;
  const passTo = (now: number): void => {
    if (now >= latest - BEHIND_MS) {
      latest = Math.max(now, latest);
      return;
    }
    latest = now;
    for (const [key, { until }] of entries) if (until !== Number.POSITIVE_INFINITY) drop(key);
  };
  const get = (key: K, now?: number): T | undefined => {
    if (now !== undefined) passTo(now);
    const entry = entries.get(key);
    if (entry === undefined || entry.until <= (now ?? Number.NEGATIVE_INFINITY)) return undefined;
    entries.delete(key);
    entries.set(key, entry);
    return entry.value;
  };
  const set = (key: K, value: T, until = Number.POSITIVE_INFINITY): void => {
    drop(key);
    const weight = weigh(value);
    entries.set(key, { value, until, weight });
    held += weight;
    for (const oldest of entries.keys()) {
      if (held <= capacity) return;
      drop(oldest);
    }
  };
  return {
    get,
    set,
    async of(key, now, lifetimeMs, find) {
      const known = get(key, now);
      if (known !== undefined) return known;
      const value = await find();
      if (value !== undefined) set(key, value, now + lifetimeMs);
      return value;
    },
    delete: drop,
    clear() {
      entries.clear();
      held = 0;
    },
  };
};

/**
 * One of something for each owner, made when it is first asked for and gone with its owner: what is remembered of a world, a table or
 * a store belongs to it, so that two platforms in one process share nothing.
 */
export const perOwner = <O extends object, T>(make: (owner: O) => T): ((owner: O) => T) => {
  const made = new WeakMap<O, T>();
  return (owner) => {
    const known = made.get(owner);
    if (known !== undefined) return known;
    const fresh = make(owner);
    made.set(owner, fresh);
    return fresh;
  };
};
