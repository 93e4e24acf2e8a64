const NO_BYTES = Buffer.alloc(0);

/** Bytes that come piece by piece. */
export interface GrowingBytes {
  /** How many came. */
  readonly length: number;
  /** How many there is room for. */
  readonly capacity: number;
  /** Makes room for so many in all. */
  grow(capacity: number): void;
  /** Adds some, for which there has to be room. */
  add(some: Buffer): void;
  /** A copy of what came so far. */
  copy(): Uint8Array;
  /** Hands over what came; nothing of it is held here any more. */
  take(): Uint8Array;
  /** Lets go of everything. */
  drop(): void;
}

const forget = ({ buffer }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0);
};

/**
 * At most `most` bytes. More than `ordinary` lie in memory that grows where it is and is given back at once: what is left behind otherwise,
 * by growing and by bodies that give way, stays until the collector comes, and is more than the bodies themselves.
 */
export const growingBytes = (most: number, ordinary: number): GrowingBytes => {
  let few = NO_BYTES;
  let many: ArrayBuffer | undefined;
  let length = 0;
  const drop = (): void => {
    many?.resize(0);
    many = undefined;
    forget(few);
    few = NO_BYTES;
  };
  return {
    get length() {
      return length;
    },
    get capacity() {
      return many?.byteLength ?? few.byteLength;
    },
    grow(capacity) {
      if (many !== undefined) many.resize(capacity);
      else if (capacity > ordinary) {
        many = new ArrayBuffer(capacity, { maxByteLength: most });
        new Uint8Array(many).set(few.subarray(0, length));
        forget(few);
        few = NO_BYTES;
      } else {
        // Outside the pool, whose memory is not ours to give back.
        const larger = Buffer.allocUnsafeSlow(capacity);
        few.copy(larger, 0, 0, length);
        forget(few);
        few = larger;
      }
    },
    add(some) {
      if (many === undefined) some.copy(few, length);
      else new Uint8Array(many).set(some, length);
      length += some.byteLength;
    },
    copy: () => new Uint8Array(many ?? few).slice(0, length),
    take() {
      const whole = many === undefined ? few.subarray(0, length) : new Uint8Array(many.transferToFixedLength(length));
      many = undefined;
      few = NO_BYTES;
      return whole;
    },
    drop,
  };
};
