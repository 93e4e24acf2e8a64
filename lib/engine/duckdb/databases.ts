import { openFairQueue } from "../../core/fair-queue.ts";
import { STOPPING, Unavailable } from "../../core/unavailable.ts";
import { Defect } from "../../core/unreachable.ts";
import { mostHeldMb, openQueryProcess, type QueryDatabase, type QueryProcess } from "../query/process/query-process.ts";
import type { LocalFiles } from "../storage/local-files.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./duckdb.ts";

/** The instances of the projects that were asked for lately. */
export interface Databases {
  /**
   * Runs a task on the project's instance, in a process beside this one; of one project these tasks run one after another, of all of them
   * as many at once as there are lanes, and turns go by the time that each project used. One whose statement had to give way to others
   * is run again from its beginning. Throws `Busy` for one that has to wait longer than `maxWaitMs`.
   */
  use<T>(project: number, task: (database: ReadOnlyDatabase) => Promise<T>, options?: UseOptions): Promise<T>;
  /** Gets ready for a task that will come. */
  warm(): void;
  /**
   * Runs a task that reads rows of so many bytes, as they are sorted, on an instance of its own, which is closed afterwards; these run one
   * after another, beside the others.
   */
  alone<T>(project: number, bytes: number, task: (database: Database) => Promise<T>): Promise<T>;
  /** Ends what runs, which throws `Unavailable`, as what is asked afterwards does; settles when nothing runs any more. */
  close(): Promise<void>;
}

export interface UseOptions {
  readonly maxWaitMs?: number | undefined;
  /** Whether there is little to read: an instance of one thread does it, as it does small compactions. */
  readonly readsLittle?: boolean | undefined;
}

/** An instance that is asked, and writes nothing. */
export type ReadOnlyDatabase = Pick<QueryDatabase, "select">;

/** An idle instance holds 2.5 MB; opening one takes 10 ms. */
const MAX_INSTANCES = 16;

/** The project of work that is done for none: it takes turns, too. */
const NOBODY = 0;

/** Tasks of one project that may wait for the one that runs. */
const MAX_WAITING = 64;

/** Compactions wait for each other as long as they must: their queue is bounded by the sweep. */
const MAX_WAITING_ALONE = 1_000;

/** The idle processes of all lanes together hold no more than this share of the memory when a query comes: beyond it they are replaced. */
const IDLE_SHARE = 0.5;

export interface Sizes {
  readonly memoryMb: number;
  readonly threads: number;
  /** Bytes that queries may spill, and compaction what it sorts and writes. */
  readonly querySpillBytes: number;
  readonly compactionSpillBytes: number;
  /** Queries of different projects that run at once, each in a process of its own; one where it is left out. */
  readonly lanes?: number;
}

/** Of a process that compacts, compaction may use this much of the memory, and whatever else runs beside it the rest. */
const COMPACTION_SHARE = 2 / 3;

/**
 * Fewer bytes are compacted by one thread: several have too little to share, are through hardly sooner, and take a quarter more processor
 * time, because the engine does not sleep while it waits for another of its threads.
 */
const LEAST_SHARED_BYTES = 100_000_000;

/**
 * Any task may use the whole memory: the limit is of each instance, and what the processes hold together is looked at while they run. From
 * the first compaction on they share the memory with that. What runs, and whether there was a compaction, is known to this closure alone.
 */
export const openDatabases = (local: LocalFiles, sizes: Sizes): Databases => {
  const { lanes: number = 1 } = sizes;
  const lanes: readonly Lane[] = Array.from({ length: number }, (_, at) =>
    openLane(openQueryProcess(() => lanes.reduce((sum, { queries }, other) => sum + (other === at ? 0 : queries.workingMb()), 0))),
  );
  const queue = openFairQueue(MAX_WAITING, number);
  const aside = openFairQueue(MAX_WAITING_ALONE);
  /** The tasks that run. */
  const atWork = new Set<Promise<unknown>>();
  /** The instance that compacts, for as long as it does. */
  let alone: Database | undefined;
  let compacts = false;
  let isClosed = false;
  const checkOpen = (): void => {
    if (isClosed) throw new Unavailable(STOPPING);
  };
  const databaseOptions = (project: number, purpose: string, share: number, spillBytes: number): Omit<DatabaseOptions, "threads"> => ({
    memoryMb: Math.floor(sizes.memoryMb * share),
    readable: local.readable(project),
    temporary: local.temporary(project, purpose),
    spillBytes,
  });

  const projectInstance = (at: number, project: number, readsLittle: boolean): ReadOnlyDatabase => {
    const lane = lanes[at];
    if (lane === undefined) throw new Defect(`there is no lane ${at}`);
    const purpose = ["spill", ...(at === 0 ? [] : [at]), ...(readsLittle ? ["little"] : [])].join("-");
    const share = compacts ? 1 - COMPACTION_SHARE : 1;
    const spillBytes = Math.floor(sizes.querySpillBytes / number);
    const options = { ...databaseOptions(project, purpose, share, spillBytes), threads: readsLittle ? 1 : sizes.threads };
    const instance = lane.instance(project, purpose, options);
    // With a second project there may be need of all lanes, and starting a process takes a fifth of a second.
    if (!lane.servesOnly(project)) for (const { queries } of lanes) queries.warm();
    for (const { queries } of lanes) queries.refresh((mostHeldMb(options.memoryMb) * IDLE_SHARE) / number);
    return instance;
  };

  const runIn = async <T>(
    at: number,
    givesWay: AbortSignal,
    project: number,
    task: (database: ReadOnlyDatabase) => Promise<T>,
    readsLittle: boolean,
  ): Promise<T> => {
    checkOpen();
    const work = task(givingWay(projectInstance(at, project, readsLittle), givesWay));
    atWork.add(work);
    try {
      return await work;
    } finally {
      atWork.delete(work);
    }
  };

  /** From here on instances have less memory; those that have more are let end what they do. */
  const makeRoom = async (): Promise<void> => {
    if (compacts) return;
    compacts = true;
    await Promise.allSettled(atWork);
  };

  return {
    warm: () => lanes[0]?.queries.warm(),
    use: (project, task, { maxWaitMs, readsLittle = false } = {}) =>
      queue.run(project, (lane, givesWay) => runIn(lane, givesWay, project, task, readsLittle), maxWaitMs),
    alone: (project, bytes, task) =>
      aside.run(project, async () => {
        checkOpen();
        await makeRoom();
        const options = databaseOptions(project, "compaction", COMPACTION_SHARE, sizes.compactionSpillBytes);
        const database = await openDatabase({ ...options, threads: bytes < LEAST_SHARED_BYTES ? 1 : sizes.threads });
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
      for (const lane of lanes) lane.close();
      await aside.run(NOBODY, async () => undefined);
    },
  };
};

/** A process with the instances of projects. */
interface Lane {
  readonly queries: QueryProcess;
  /** The instance of a project for a purpose, with these options: opened where there is none, or where it has another limit of memory. */
  instance(project: number, purpose: string, options: DatabaseOptions): ReadOnlyDatabase;
  /** Whether all instances are of this project. */
  servesOnly(project: number): boolean;
  close(): void;
}

interface Instance extends QueryDatabase {
  readonly project: number;
  /** Its limit, MB, which it keeps. */
  readonly memoryMb: number;
}

const openLane = (queries: QueryProcess): Lane => {
  /** By project and purpose, the one that was used last at the end. */
  const instances = new Map<string, Instance>();
  return {
    queries,
    instance(project, purpose, options) {
      const key = `${project} ${purpose}`;
      const known = instances.get(key);
      // One that was opened before the first compaction keeps the limit that it had then.
      const isGood = known?.memoryMb === options.memoryMb;
      if (!isGood) known?.close();
      const database = isGood ? known : { ...queries.open(options), project, memoryMb: options.memoryMb };
      instances.delete(key);
      instances.set(key, database);
      for (const [oldest, idle] of instances) {
        if (instances.size <= MAX_INSTANCES) break;
        instances.delete(oldest);
        idle.close();
      }
      return database;
    },
    servesOnly: (project) => [...instances.values()].every((each) => each.project === project),
    close() {
      queries.close();
      instances.clear();
    },
  };
};

/** An instance whose statements are ended by this signal, too. */
const givingWay = (database: ReadOnlyDatabase, givesWay: AbortSignal): ReadOnlyDatabase => ({
  select(sql, parameters, timeMs, take, { signal, ...more } = {}) {
    const either = signal === undefined ? givesWay : AbortSignal.any([signal, givesWay]);
    return database.select(sql, parameters, timeMs, take, { ...more, signal: either });
  },
});
