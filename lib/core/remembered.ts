/** Values found a short while ago, kept by the process. What was not found is never kept. */
export interface Remembered<T> {
  /** The kept value, or the one that `find` finds. */
  of(key: string, now: number, find: () => Promise<T | undefined>): Promise<T | undefined>;
  clear(): void;
}

/** Keeps each value for `lifetimeMs`, and at most `capacity` of them: the one that was found longest ago goes first. */
export const remembered = <T>(options: { readonly lifetimeMs: number; readonly capacity: number }): Remembered<T> => {
  const kept = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    async of(key, now, find) {
      const known = kept.get(key);
      if (known && known.until > now) return known.value;
      kept.delete(key);
      const value = await find();
      if (value === undefined) return undefined;
      if (kept.size >= options.capacity) dropOldest(kept);
      kept.set(key, { value, until: now + options.lifetimeMs });
      return value;
    },
    clear: () => kept.clear(),
  };
};

const dropOldest = (kept: Map<string, unknown>): void => {
  for (const key of kept.keys()) {
    kept.delete(key);
    return;
  }
};
