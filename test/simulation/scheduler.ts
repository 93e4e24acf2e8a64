import type { Random } from "./random.ts";

/** A process of the simulation. A dead one never goes on from where it stood. */
export interface Actor {
  readonly name: string;
  /** Those that were begun later have higher ones. */
  readonly number: number;
  alive: boolean;
  /** Called when chance kills it; without this it is immortal. */
  readonly died: (() => void) | null;
  /** What it has of slow steps beyond the weather's. */
  readonly slow: number;
  /** The probability that it stands still before a step. */
  readonly freeze: number;
}

/** A process may stand still for longer than anybody waits for it, but not inside a call that changes the head: that has a timeout. */
const NEVER_FROZEN = "table transact";

interface Parked {
  at: number;
  readonly order: number;
  readonly actor: Actor;
  readonly go: () => void;
}

/** What chance does at each step. */
export interface Weather {
  /** An ordinary step takes up to so many milliseconds, */
  readonly latencyMs: number;
  /** and with this probability up to `slowMs`. */
  readonly slow: number;
  readonly slowMs: number;
  /** The probability that a mortal actor dies at a step. */
  readonly death: number;
  /** How long a process stands still at most. */
  readonly freezeMs: number;
  /** The probability that a process stands still after it put a manifest, before the swap that names it. */
  readonly betweenSwaps: number;
}

/**
 * Runs actors one at a time: each stands still at every call of a port until its time comes. Virtual time jumps to the next
 * one's. Nothing else decides the order, so a seed repeats a run exactly.
 */
export class Scheduler {
  #now: number;
  #order = 0;
  #steps = 0;
  #parked: Parked[] = [];
  #current: Actor = { name: "nobody", number: 0, alive: true, died: null, slow: 0, freeze: 0 };
  #failure: Error | null = null;
  readonly #outside = new Set<Promise<unknown>>();
  readonly #random: Random;
  readonly trace: string[] = [];
  readonly #tracing: boolean;
  weather: Weather;
  /** Told of whoever goes on, just before it does. */
  onTurn: (actor: Actor) => void = () => undefined;

  constructor(random: Random, start: number, weather: Weather, tracing: boolean) {
    this.#random = random;
    this.#now = start;
    this.weather = weather;
    this.#tracing = tracing;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Who goes on at the moment. */
  get actor(): string {
    return this.#current.name;
  }

  readonly now = (): number => Math.floor(this.#now);

  /** A call of a port: time passes, others run, and the caller may die. */
  readonly step = (label: string): Promise<void> => {
    const actor = this.#current;
    // Of a process that does several things at once one goes on in the turn in which another one killed it.
    if (!actor.alive) return never();
    const { latencyMs, slow, slowMs, death } = this.weather;
    if (actor.died && this.#random.chance(death)) return this.#die(actor, label);
    this.note(label);
    const freeze = label.startsWith("put state/") && label.includes("/manifests/") ? this.weather.betweenSwaps : 0;
    if (this.weather.slowMs > 0 && !label.startsWith(NEVER_FROZEN) && this.#random.chance(Math.max(actor.freeze, freeze)))
      return this.#park(actor, this.#now + this.#random.next() * this.weather.freezeMs);
    return this.#park(
      actor,
      this.#now + this.#random.next() * (this.#random.chance(slow + (slowMs > 0 ? actor.slow : 0)) ? slowMs : latencyMs),
    );
  };

  /** Does what needs the machine's own time, which is none of the run's: nobody else goes on meanwhile. It calls no port. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    const working = work();
    this.#outside.add(working);
    try {
      return await working;
    } finally {
      this.#outside.delete(working);
    }
  }

  /** Stands still until a time, or until `wake` is called with the returned handle. */
  sleep(ms: number, expose?: (wake: () => void) => void): Promise<void> {
    return this.#park(this.#current, this.#now + ms, expose);
  }

  spawn(
    name: string,
    work: () => Promise<void>,
    traits: { readonly died?: () => void; readonly slow?: number; readonly freeze?: number } = {},
  ): Actor {
    const actor: Actor = {
      name,
      number: this.#order,
      alive: true,
      died: traits.died ?? null,
      slow: traits.slow ?? 0,
      freeze: traits.freeze ?? 0,
    };
    const begin = (): void => {
      work().catch((error: unknown) => {
        this.#failure ??= error instanceof Error ? error : new Error(String(error));
      });
    };
    this.#parked.push({ at: this.#now, order: this.#order++, actor, go: begin });
    return actor;
  }

  note(text: string): void {
    if (this.#tracing) this.trace.push(`${new Date(this.#now).toISOString()} ${this.#current.name}: ${text}`);
  }

  /** Runs until `done`, or until nobody has anything to do; throws what an actor threw, and after too many steps. */
  async run(done: () => boolean, maxSteps: number): Promise<void> {
    const until = this.#steps + maxSteps;
    while (!done() && this.#parked.length > 0) {
      this.#steps += 1;
      if (this.#steps > until) throw new Error(`the run does not end within ${maxSteps} steps`);
      const next = this.#take();
      this.#now = Math.max(this.#now, next.at);
      this.#current = next.actor;
      this.onTurn(next.actor);
      next.go();
      await settled();
      while (this.#outside.size > 0) {
        await Promise.allSettled(this.#outside);
        await settled();
      }
      if (this.#failure) throw this.#failure;
    }
  }

  #take(): Parked {
    let least = 0;
    for (let at = 1; at < this.#parked.length; at += 1) {
      const [candidate, best] = [this.#parked[at], this.#parked[least]];
      if (candidate && best && (candidate.at < best.at || (candidate.at === best.at && candidate.order < best.order))) least = at;
    }
    const [taken] = this.#parked.splice(least, 1);
    if (taken === undefined) throw new Error("nobody is parked");
    return taken;
  }

  #park(actor: Actor, at: number, expose?: (wake: () => void) => void): Promise<void> {
    return new Promise((go) => {
      if (!actor.alive) return;
      const parked: Parked = { at, order: this.#order++, actor, go };
      this.#parked.push(parked);
      expose?.(() => {
        parked.at = Math.min(parked.at, this.#now);
      });
    });
  }

  /** The actor's promises are never kept again. */
  #die(actor: Actor, label: string): Promise<void> {
    this.note(`dies at ${label}`);
    actor.alive = false;
    this.#parked = this.#parked.filter((parked) => parked.actor !== actor);
    actor.died?.();
    return never();
  }
}

const never = (): Promise<void> => new Promise(() => undefined);

/** All that can go on without a port has gone on: a tick comes when no promise is left to be kept but what is done outside. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
