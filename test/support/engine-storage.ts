import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Databases, openDatabases } from "../../lib/engine/duckdb/databases.ts";
import { type LocalFiles, openLocalFiles } from "../../lib/engine/storage/local-files.ts";
import type { Objects } from "../../lib/ports/objects.ts";

export interface EngineStorage {
  readonly local: LocalFiles;
  readonly databases: Databases;
  close(): Promise<void>;
}

/** What the engine stands on, over these objects and in a directory of its own. */
export const openEngineStorage = async (objects: Objects): Promise<EngineStorage> => {
  const root = await mkdtemp(join(tmpdir(), "engine-storage-"));
  const local = await openLocalFiles(objects, join(root, "engine"), 100_000_000);
  const databases = openDatabases(local, { memoryMb: 300, threads: 2, querySpillBytes: 1e8, compactionSpillBytes: 1e8 });
  return {
    local,
    databases,
    async close() {
      await databases.close();
      await rm(root, { recursive: true, force: true });
    },
  };
};

/** The same files, and how many of them were held and still are. */
export const countingLeases = (local: LocalFiles) => {
  const leases = { held: 0, open: 0 };
  const counted =
    <T extends readonly unknown[]>(hold: (...wanted: T) => ReturnType<LocalFiles["hold"]>) =>
    async (...wanted: T) => {
      const lease = await hold(...wanted);
      leases.held += 1;
      leases.open += 1;
      return {
        ...lease,
        release: () => {
          leases.open -= 1;
          lease.release();
        },
      };
    };
  const counting: LocalFiles = { ...local, hold: counted(local.hold), holdBytes: counted(local.holdBytes) };
  return { counting, leases };
};
