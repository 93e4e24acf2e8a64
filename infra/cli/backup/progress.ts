/** Tells how far a command is, on standard error, so that its answer stands alone on standard output. */
export interface Progress {
  /** Shown at a terminal in the place of the last one, and elsewhere not at all: a log is not to grow by it. */
  at(text: string): void;
  /** Shown everywhere, on a line of its own. */
  line(text: string): void;
  /** Takes the last `at` away. */
  end(): void;
}

/** A terminal is not written to more often than this. */
const EVERY_MS = 200;

/** Progress on a stream: standard error where none is given. */
export const progress = (stream: Pick<NodeJS.WriteStream, "write" | "isTTY"> = process.stderr): Progress => {
  let [shownAt, isShown] = [Number.NEGATIVE_INFINITY, false];
  const clear = (): void => {
    if (isShown) stream.write("\r\x1b[K");
    isShown = false;
  };
  return {
    at(text) {
      const now = performance.now();
      if (!stream.isTTY || now - shownAt < EVERY_MS) return;
      clear();
      stream.write(text);
      [shownAt, isShown] = [now, true];
    },
    line(text) {
      clear();
      stream.write(`${text}\n`);
    },
    end: clear,
  };
};
