import type { World } from "../../lib/world/world.ts";

/** Entries that a process keeps at most: a caller who invents tokens must not fill its memory. */
const MAX_ENTRIES = 10_000;

interface Entry<T> {
  readonly value: T;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Answers of the table that one process may use again for a while. */
export interface Remembered<T> {
  fresh(key: string, now: number): T | undefined;
  /** Also one that is past its time: better than none while the table does not answer. */
  last(key: string): T | undefined;
  keep(key: string, value: T, until: number): void;
}

/** A memory per world, so that two platforms in one process share nothing. */
export const rememberedPerWorld = <T>(): ((world: World) => Remembered<T>) => {
  const memories = new WeakMap<World, Remembered<T>>();
  return (world) => {
    const known = memories.get(world);
    if (known !== undefined) return known;
    const made = memory<T>();
    memories.set(world, made);
    return made;
  };
};

const memory = <T>(): Remembered<T> => {
  const entries = new Map<string, Entry<T>>();
  return {
    fresh(key, now) {
      const entry = entries.get(key);
      return entry !== undefined && now < entry.until ? entry.value : undefined;
    },
    last: (key) => entries.get(key)?.value,
    keep(key, value, until) {
      entries.delete(key);
      entries.set(key, { value, until });
      const oldest = entries.size > MAX_ENTRIES ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
};
