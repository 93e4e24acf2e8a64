/** What runs a function, one run at a time: on this machine the stand-in of a Lambda execution environment. */
export interface Instance {
  run(): void;
  end(): void;
}

/** Called by an instance when it begins a run, and when it has finished one. */
export interface InstanceEvents {
  readonly begun: () => void;
  readonly finished: () => void;
}

/** The instances of one function: as many run at once as the function may. */
export interface InstancePool {
  /** Has an instance run the function. Where all are running nothing is done: a run looks for more work itself before it ends. */
  start(): void;
}

interface Pooled {
  readonly instance: Instance;
  state: "starting" | "running" | "idle";
  removal: NodeJS.Timeout | undefined;
}

/** An instance that was idle for so long is removed: each holds the memory of an engine. */
const IDLE_MS = 60_000;

/**
 * Adds an instance when all others are running, up to `limit`. One at a time: while a run is starting no other is begun, since it may do all
 * the work there is.
 */
export const openInstancePool = (limit: number, create: (events: InstanceEvents) => Instance, idleMs = IDLE_MS): InstancePool => {
  const pool = new Set<Pooled>();
  const inState = (wanted: Pooled["state"]): Pooled | undefined => [...pool].find(({ state }) => state === wanted);

  const run = (pooled: Pooled): void => {
    clearTimeout(pooled.removal);
    pooled.state = "starting";
    pooled.instance.run();
  };

  const rest = (pooled: Pooled): void => {
    pooled.state = "idle";
    pooled.removal = setTimeout(() => {
      pool.delete(pooled);
      pooled.instance.end();
    }, idleMs).unref();
  };

  const add = (): Pooled => {
    const events: InstanceEvents = {
      begun: () => {
        pooled.state = "running";
      },
      finished: () => rest(pooled),
    };
    const pooled: Pooled = { instance: create(events), state: "starting", removal: undefined };
    pool.add(pooled);
    return pooled;
  };

  return {
    start() {
      if (inState("starting") !== undefined) return;
      const idle = inState("idle");
      if (idle !== undefined) run(idle);
      else if (pool.size < limit) run(add());
    },
  };
};
