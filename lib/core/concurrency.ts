/**
 * Works through entries in their order, `lanes` of them at a time, and begins none when `mayBegin` says no; gives those that were not begun.
 * A fault ends the lane that it happened in, and is thrown when all have ended, so that nothing goes on behind its caller's back.
 */
export const forEachConcurrent = async <T>(
  entries: Iterable<T>,
  lanes: number,
  work: (entry: T) => Promise<void>,
  mayBegin: () => boolean = () => true,
): Promise<readonly T[]> => {
  const waiting = [...entries].values();
  const lane = async (): Promise<void> => {
    while (mayBegin()) {
      const next = waiting.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
  return [...waiting];
};

/** Runs tasks one after another, in the order in which they were given; one that fails holds up nobody. */
export const openLine = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next;
    return next;
  };
};

/** A task was not begun: it waited for its turn for too long, or found too many waiting. Whoever asked for it can ask again. */
export class Busy extends Error {
  override readonly name = "Busy";
  /** When that makes sense, in seconds from now. */
  readonly retrySeconds = 1;
}

/** A run that has to wait for longer is refused: whoever asked for it can ask again. */
export const MAX_WAIT_MS = 2_000;

/** So many times as many tasks of all projects may wait as of one. */
const SHARES = 10;

/** Runs tasks one after another: those that wait take turns by project, so that nobody waits for all of another's. */
export interface FairQueue {
  /** Throws `Busy` where it is not begun within `maxWaitMs`. */
  run<T>(project: number, task: () => Promise<T>, maxWaitMs?: number): Promise<T>;
}

interface Waiting {
  readonly begin: () => void;
}

/** At most `places` tasks of one project wait, and ten times as many of all. Who waits is known to the three steps of this closure alone. */
export const openFairQueue = (places: number): FairQueue => {
  /** In the order of their turns. */
  const queues = new Map<number, Waiting[]>();
  let waiting = 0;
  let isTaken = false;

  const next = (): void => {
    for (const [project, queue] of queues) {
      const first = queue.shift();
      queues.delete(project);
      if (queue.length > 0) queues.set(project, queue);
      if (first === undefined) continue;
      waiting -= 1;
      first.begin();
      return;
    }
    isTaken = false;
  };

  const turn = (project: number, maxWaitMs: number | undefined): Promise<void> => {
    if (!isTaken) {
      isTaken = true;
      return Promise.resolve();
    }
    const queue = queues.get(project) ?? [];
    if (queue.length >= places || waiting >= places * SHARES) throw new Busy("too many queries are waiting");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late =
      maxWaitMs === undefined
        ? undefined
        : setTimeout(() => {
            const at = queue.indexOf(one);
            if (at === -1) return;
            queue.splice(at, 1);
            if (queue.length === 0) queues.delete(project);
            waiting -= 1;
            reject(new Busy("others took too long"));
          }, maxWaitMs);
    const one: Waiting = {
      begin: () => {
        clearTimeout(late);
        resolve();
      },
    };
    queue.push(one);
    queues.set(project, queue);
    waiting += 1;
    return promise;
  };

  return {
    async run(project, task, maxWaitMs) {
      await turn(project, maxWaitMs);
      try {
        return await task();
      } finally {
        next();
      }
    },
  };
};
