import { type Database, openDatabase } from "./duckdb.ts";
import { type Lane, openLane } from "./lane.ts";
import type { LocalFiles } from "./local-files.ts";

/** The instances of the projects that were asked for lately. */
export interface Databases {
  /** Runs a task on the project's instance; the tasks of a process run one after another. */
  use<T>(project: number, task: (database: Database) => Promise<T>): Promise<T>;
  /** Runs a task on an instance of its own, which is closed afterwards; these too run one after another, beside the others. */
  alone<T>(project: number, task: (database: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** An idle instance holds 2.5 MB; opening one takes 10 ms. */
const MAX_INSTANCES = 12;

/** Tasks that may wait for the one that runs. */
const MAX_WAITING = 64;

/** Compactions wait for each other as long as they must: their queue is bounded by the sweep. */
const MAX_WAITING_ALONE = 1_000;

const SPILL_BYTES = 2_000_000_000;

export interface Sizes {
  readonly memoryMb: number;
  readonly threads: number;
}

/** Of a process that compacts, compaction may use this much of the memory, and whatever else runs beside it the rest. */
const COMPACTION_SHARE = 2 / 3;

/**
 * One task at a time may use the whole memory, so that the instances share one budget though each has its own limit; from the first
 * compaction on they share it with that.
 */
export const openDatabases = (local: LocalFiles, sizes: Sizes): Databases => {
  const instances = new Map<number, Database>();
  const lane = openLane(MAX_WAITING);
  const aside: Lane = openLane(MAX_WAITING_ALONE);
  let compacts = false;
  const open = (project: number, purpose: string, share: number): Promise<Database> =>
    openDatabase({
      ...sizes,
      memoryMb: Math.floor(sizes.memoryMb * share),
      readable: local.readable(project),
      temporary: local.temporary(project, purpose),
      spillBytes: SPILL_BYTES,
    });

  const instanceOf = async (project: number): Promise<Database> => {
    const database = instances.get(project) ?? (await open(project, "spill", compacts ? 1 - COMPACTION_SHARE : 1));
    instances.delete(project);
    instances.set(project, database);
    for (const [oldest, idle] of instances) {
      if (instances.size <= MAX_INSTANCES) break;
      instances.delete(oldest);
      idle.close();
    }
    return database;
  };

  const closeAll = async (): Promise<void> => {
    for (const database of instances.values()) database.close();
    instances.clear();
  };

  /** An open instance keeps its limit, so those of before the first compaction are closed. */
  const makeRoom = (): Promise<void> =>
    compacts
      ? Promise.resolve()
      : lane(async () => {
          compacts = true;
          await closeAll();
        });

  return {
    use: (project, task) => lane(async () => task(await instanceOf(project))),
    alone: (project, task) =>
      aside(async () => {
        await makeRoom();
        const database = await open(project, "compaction", COMPACTION_SHARE);
        try {
          return await task(database);
        } finally {
          database.close();
        }
      }),
    close: () => lane(closeAll),
  };
};
