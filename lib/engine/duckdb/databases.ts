import { openFairQueue } from "../../core/concurrency.ts";
import { STOPPING, Unavailable } from "../../core/unavailable.ts";
import { QueryError } from "../../hogql/errors.ts";
import { openQueryProcess, type QueryDatabase } from "../query/process/query-process.ts";
import type { LocalFiles } from "../storage/local-files.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./duckdb.ts";

/** The instances of the projects that were asked for lately. */
export interface Databases {
  /**
   * Runs a task on the project's instance, in a process beside this one; these tasks run one after another, and take turns by project. Throws
   * `Busy` for one that has to wait longer than `maxWaitMs`.
   */
  use<T>(project: number, task: (database: ReadOnlyDatabase) => Promise<T>, maxWaitMs?: number): Promise<T>;
  /** Gets ready for a task that will come. */
  warm(): void;
  /** Runs a task on an instance of its own, which is closed afterwards; these too run one after another, beside the others. */
  alone<T>(project: number, task: (database: Database) => Promise<T>): Promise<T>;
  /** Ends what runs, which throws `Unavailable`, as what is asked afterwards does; settles when nothing runs any more. */
  close(): Promise<void>;
}

/** An instance that is asked, and writes nothing. */
export type ReadOnlyDatabase = Pick<QueryDatabase, "select">;

/** An idle instance holds 2.5 MB; opening one takes 10 ms. */
const MAX_INSTANCES = 12;

/** The project of work that is done for none: it takes turns, too. */
const NOBODY = 0;

/** Tasks of one project that may wait for the one that runs. */
const MAX_WAITING = 64;

/** Compactions wait for each other as long as they must: their queue is bounded by the sweep. */
const MAX_WAITING_ALONE = 1_000;

export interface Sizes {
  readonly memoryMb: number;
  readonly threads: number;
  /** Bytes that queries may spill, and compaction what it sorts and writes. */
  readonly querySpillBytes: number;
  readonly compactionSpillBytes: number;
}

/** Of a process that compacts, compaction may use this much of the memory, and whatever else runs beside it the rest. */
const COMPACTION_SHARE = 2 / 3;

/**
 * One task at a time may use the whole memory, so that the instances share one budget though each has its own limit; from the first
 * compaction on they share it with that. Which instances are open, and whether there was a compaction, is known to this closure alone.
 */
export const openDatabases = (local: LocalFiles, sizes: Sizes): Databases => {
  const queries = openQueryProcess();
  const instances = new Map<number, QueryDatabase>();
  const queue = openFairQueue(MAX_WAITING);
  const aside: SerialQueue = openSerialQueue(MAX_WAITING_ALONE);
  /** The instance that compacts, for as long as it does. */
  let alone: Database | undefined;
  let compacts = false;
  let isClosed = false;
  const checkOpen = (): void => {
    if (isClosed) throw new Unavailable(STOPPING);
  };
  const databaseOptions = (project: number, purpose: string, share: number, spillBytes: number): DatabaseOptions => ({
    threads: sizes.threads,
    memoryMb: Math.floor(sizes.memoryMb * share),
    readable: local.readable(project),
    temporary: local.temporary(project, purpose),
    spillBytes,
  });

  const projectInstance = (project: number): ReadOnlyDatabase => {
    const database =
      instances.get(project) ?? queries.open(databaseOptions(project, "spill", compacts ? 1 - COMPACTION_SHARE : 1, sizes.querySpillBytes));
    instances.delete(project);
    instances.set(project, database);
    for (const [oldest, idle] of instances) {
      if (instances.size <= MAX_INSTANCES) break;
      instances.delete(oldest);
      idle.close();
    }
    return database;
  };

  const closeAll = (): void => {
    for (const database of instances.values()) database.close();
    instances.clear();
  };

  /** An open instance keeps its limit, so those of before the first compaction are closed. */
  const makeRoom = (): Promise<void> =>
    compacts
      ? Promise.resolve()
      : queue.run(NOBODY, async () => {
          compacts = true;
          closeAll();
        });

  return {
    warm: () => queries.warm(),
    use: (project, task, maxWaitMs) =>
      queue.run(
        project,
        async () => {
          checkOpen();
          return task(projectInstance(project));
        },
        maxWaitMs,
      ),
    alone: (project, task) =>
      aside(async () => {
        checkOpen();
        await makeRoom();
        const database = await openDatabase(databaseOptions(project, "compaction", COMPACTION_SHARE, sizes.compactionSpillBytes));
        alone = database;
        try {
          checkOpen();
          return await task(database);
        } finally {
          alone = undefined;
          database.close();
        }
      }),
    async close() {
      isClosed = true;
      alone?.interrupt();
      queries.close();
      instances.clear();
      await aside(async () => undefined);
    },
  };
};

/** Runs tasks one after another. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * One with at most `places` waiting tasks: two queries side by side are slower than one after the other (measured), and a
 * queue without a bound would only turn overload into timeouts.
 */
export const openSerialQueue = (places: number): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (task) => {
    if (waiting >= places) throw new QueryError("query_estimated_too_slow", "Too many queries are waiting. Try again in a moment.");
    waiting++;
    const result = last.then(() => {
      waiting--;
      return task();
    });
    last = result.catch(() => undefined);
    return result;
  };
};
