import { setTimeout as pause } from "node:timers/promises";

/** What counts the rounds of calls that follow one another. */
export interface Rounds {
  /** The part, under a name, with its calls held back until their round begins. */
  counting<T extends object>(name: string, part: T): T;
  /** Rounds since they were last taken. */
  take(): TakenRounds;
}

/** Rounds of calls, and the calls made in them: the part's name and the call's. */
interface TakenRounds {
  readonly rounds: number;
  readonly calls: readonly string[];
}

/** What calls nobody. */
const LOCAL: ReadonlySet<string | symbol> = new Set(["localPath", "uri"]);

/** Longer than what a request mostly computes between two calls. */
const QUIET_MS = 15;
const ATTEMPTS = 8;

/** The fewest rounds of some attempts: a busy machine tears calls apart that are asked for side by side, and joins none that are not. */
export const fewest = async <T extends { readonly rounds: number }>(attempt: () => Promise<T>): Promise<T> => {
  let best = await attempt();
  for (let made = 1; made < ATTEMPTS; made += 1) {
    const next = await attempt();
    if (next.rounds < best.rounds) best = next;
  }
  return best;
};

/**
 * Counts how many rounds of calls were made one after another: calls that are asked for side by side are one round. Each is held
 * back until for a moment no other has been asked for, and then all of them go.
 */
export const rounds = (): Rounds => {
  let taken = 0;
  let calls: string[] = [];
  let waiting: Promise<void> | undefined;
  const round = (): Promise<void> => {
    waiting ??= pause(QUIET_MS).then(() => {
      taken += 1;
      waiting = undefined;
    });
    return waiting;
  };
  return {
    counting: (partName, part) =>
      new Proxy(part, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function" || LOCAL.has(name)) return value;
          return async (...given: readonly unknown[]) => {
            calls.push(`${partName}.${String(name)}`);
            await round();
            return Reflect.apply(value, target, given);
          };
        },
      }),
    take() {
      const made = { rounds: taken, calls };
      taken = 0;
      calls = [];
      return made;
    },
  };
};
