import { join, resolve } from "node:path";
import type { QueueSource } from "../../lib/world/queues.ts";
import type { World } from "../../lib/world/world.ts";
import { Complaint } from "./complaint.ts";
import { startDynamodb } from "./dynamodb.ts";
import { holdDirectory, readRunning } from "./lock.ts";
import { startStore, storeDirectory } from "./queue-and-objects.ts";
import { terminalLog } from "./terminal-log.ts";
import { openLocal, type Place, prepare } from "./world.ts";

export interface OpenData {
  readonly world: World;
  readonly source: QueueSource;
  close(): Promise<void>;
}

const placeOf = (dataDir: string, dynamodb: string, store: string, baseUrl: string): Place => ({
  dynamodb,
  store,
  dataDir,
  baseUrl,
  ingestUrl: baseUrl,
});

/**
 * The world of a data directory for an operator's command: through the platform that runs on it, else over the embedded parts,
 * which the command then starts for itself and ends with `close`.
 */
export const openData = async (directory: string): Promise<OpenData> => {
  const dataDir = resolve(directory);
  const hold = holdDirectory(dataDir);
  if (!hold) {
    const running = readRunning(dataDir);
    if (!running) throw new Complaint(`A platform is starting or ending on ${dataDir}: try again in a moment.`);
    const { world, source } = openLocal(placeOf(dataDir, running.dynamodb, running.store, running.base_url), "command", terminalLog());
    return { world, source, close: () => world.engine.close() };
  }
  try {
    const [dynamodb, store] = await Promise.all([startDynamodb(join(dataDir, "table.db")), startStore(storeDirectory(dataDir))]);
    const place = placeOf(dataDir, dynamodb.endpoint, store.endpoint, "");
    await prepare(place);
    const { world, source } = openLocal(place, "command", terminalLog());
    return {
      world,
      source,
      async close() {
        await world.engine.close();
        await Promise.all([dynamodb.stop(), store.stop()]);
        hold.release();
      },
    };
  } catch (thrown) {
    hold.release();
    throw thrown;
  }
};
