/** What one request holds of a room. */
export interface Holding {
  /**
   * Holds so many bytes, all told. Where there are not so many left, the oldest of whoever holds the most gives way, which may be this
   * one: false then, and where nobody can.
   */
  grow(bytes: number): boolean;
  /** It gives way no more. */
  keep(): void;
  leave(): void;
}

/** So many bytes for all requests together, in which those of one source never take the room of everybody else. */
export interface Room {
  enter(source: string, giveWay: () => void): Holding;
}

interface Source {
  bytes: number;
  /** Those that can give way, the oldest first. */
  readonly giving: Set<() => void>;
}

/** A room of `maxBytes`. What is larger than `ordinaryBytes` leaves an eighth of it to what is not. */
export const openRoom = (maxBytes: number, ordinaryBytes = maxBytes): Room => {
  const sources = new Map<string, Source>();
  let taken = 0;
  const makeRoom = (bytes: number): void => {
    while (taken > bytes) {
      const most = [...sources.values()].filter(({ giving }) => giving.size > 0).sort((a, b) => b.bytes - a.bytes)[0];
      const [oldest] = most?.giving ?? [];
      if (oldest === undefined) return;
      oldest();
    }
  };
  return {
    enter(name, giveWay) {
      const source = sources.get(name) ?? { bytes: 0, giving: new Set() };
      sources.set(name, source);
      let own = 0;
      let isIn = true;
      const hold = (bytes: number): void => {
        taken += bytes - own;
        source.bytes += bytes - own;
        own = bytes;
      };
      const leave = (): void => {
        isIn = false;
        hold(0);
        source.giving.delete(go);
        if (source.bytes === 0 && source.giving.size === 0 && sources.get(name) === source) sources.delete(name);
      };
      const go = (): void => {
        leave();
        giveWay();
      };
      source.giving.add(go);
      return {
        grow(bytes) {
          if (!isIn) return false;
          hold(bytes);
          const most = bytes > ordinaryBytes ? maxBytes * LARGE_SHARE : maxBytes;
          makeRoom(most);
          if (isIn && taken > most) leave();
          return isIn;
        },
        keep: () => void source.giving.delete(go),
        leave,
      };
    },
  };
};

const LARGE_SHARE = 7 / 8;
