/** Whatever runs a function when it is told to, one run at a time. */
export interface Hand {
  run(): void;
  end(): void;
}

/** What a hand says of itself. */
export interface HandSigns {
  readonly begun: () => void;
  readonly through: () => void;
}

/** The hands of one function: it runs at most so many times at once. */
export interface Crew {
  /** Has a hand run the function. Where all are at it nothing is done: they look for more themselves when they are through. */
  start(): void;
}

interface Hired {
  readonly hand: Hand;
  state: "called" | "running" | "idle";
  dismissal: NodeJS.Timeout | undefined;
}

/** A hand that had nothing to do for so long is let go: each holds the memory of an engine. */
const IDLE_MS = 60_000;

/**
 * Hires a hand when all others are busy, one at a time, since one that is on its way may do all there is. Who is hired and what they are at
 * is known to this closure alone.
 */
export const openCrew = (atOnce: number, hire: (signs: HandSigns) => Hand, idleMs = IDLE_MS): Crew => {
  const hired = new Set<Hired>();
  const all = (): readonly Hired[] => [...hired];

  const call = (one: Hired): void => {
    clearTimeout(one.dismissal);
    one.state = "called";
    one.hand.run();
  };

  const rest = (one: Hired): void => {
    one.state = "idle";
    one.dismissal = setTimeout(() => {
      hired.delete(one);
      one.hand.end();
    }, idleMs).unref();
  };

  const hireOne = (): Hired => {
    const signs: HandSigns = {
      begun: () => {
        one.state = "running";
      },
      through: () => rest(one),
    };
    const one: Hired = { hand: hire(signs), state: "called", dismissal: undefined };
    hired.add(one);
    return one;
  };

  return {
    start() {
      if (all().some(({ state }) => state === "called")) return;
      const idle = all().find(({ state }) => state === "idle");
      if (idle !== undefined) call(idle);
      else if (hired.size < atOnce) call(hireOne());
    },
  };
};
