/** The bytes that one request holds of a budget. */
export interface Reservation {
  /**
   * Holds so many bytes in all. Where the budget has not so many left, the oldest reservations of the source that holds most are evicted,
   * which may be this one. False where it was, and where none can be evicted.
   */
  grow(bytes: number): boolean;
  /** Protects it from being evicted. */
  pin(): void;
  release(): void;
}

/** A bound on the bytes of all requests together, shared fairly: no source of requests can use it up for the others. */
export interface ByteBudget {
  reserve(source: string, onEvicted: () => void): Reservation;
}

interface Source {
  bytes: number;
  /** Evicts a reservation each, the oldest first. */
  readonly evictions: Set<() => void>;
}

/** A budget of `maxBytes`. A reservation of more than `ordinaryBytes` leaves an eighth of it to smaller ones. */
export const openByteBudget = (maxBytes: number, ordinaryBytes = maxBytes): ByteBudget => {
  const sources = new Map<string, Source>();
  let reserved = 0;
  const evictDownTo = (bytes: number): void => {
    while (reserved > bytes) {
      const largest = [...sources.values()].filter(({ evictions }) => evictions.size > 0).sort((a, b) => b.bytes - a.bytes)[0];
      const [evictOldest] = largest?.evictions ?? [];
      if (evictOldest === undefined) return;
      evictOldest();
    }
  };
  return {
    reserve(name, onEvicted) {
      const source = sources.get(name) ?? { bytes: 0, evictions: new Set() };
      sources.set(name, source);
      let own = 0;
      let isHeld = true;
      const hold = (bytes: number): void => {
        reserved += bytes - own;
        source.bytes += bytes - own;
        own = bytes;
      };
      const release = (): void => {
        isHeld = false;
        hold(0);
        source.evictions.delete(evict);
        if (source.bytes === 0 && source.evictions.size === 0 && sources.get(name) === source) sources.delete(name);
      };
      const evict = (): void => {
        release();
        onEvicted();
      };
      source.evictions.add(evict);
      return {
        grow(bytes) {
          if (!isHeld) return false;
          hold(bytes);
          const most = bytes > ordinaryBytes ? maxBytes * LARGE_SHARE : maxBytes;
          evictDownTo(most);
          if (isHeld && reserved > most) release();
          return isHeld;
        },
        pin: () => void source.evictions.delete(evict),
        release,
      };
    },
  };
};

const LARGE_SHARE = 7 / 8;
