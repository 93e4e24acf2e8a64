import { join, resolve } from "node:path";
import { terminalLog } from "../terminal-log.ts";
import { UserError } from "../user-error.ts";
import { type LocalParts, type LocalStores, openLocal, prepare } from "../world.ts";
import { startDynamodb } from "./dynamodb.ts";
import { FORGET_KEYS, holdDirectory, readRunning } from "./lock.ts";
import { startStore, storeDirectory } from "./queue-and-objects.ts";

export interface OpenData extends LocalParts {
  /** Makes the platform that runs on the directory, if one does, read keys afresh. */
  forgetKeys(): void;
  close(): Promise<void>;
}

const placeOf = (dataDir: string, dynamodb: string, store: string, baseUrl: string): LocalStores => ({
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
    if (!running) throw new UserError(`A platform is starting or ending on ${dataDir}: try again in a moment.`);
    const parts = openLocal(placeOf(dataDir, running.dynamodb, running.store, running.base_url), "command", terminalLog());
    const forgetKeys = (): void => void process.kill(running.pid, FORGET_KEYS);
    return { ...parts, forgetKeys, close: () => parts.world.engine.close() };
  }
  try {
    const [dynamodb, store] = await Promise.all([startDynamodb(join(dataDir, "table.db")), startStore(storeDirectory(dataDir))]);
    const place = placeOf(dataDir, dynamodb.endpoint, store.endpoint, "");
    await prepare(place);
    const parts = openLocal(place, "command", terminalLog());
    return {
      ...parts,
      forgetKeys: () => undefined,
      async close() {
        await parts.world.engine.close();
        await Promise.all([dynamodb.stop(), store.stop()]);
        hold.release();
      },
    };
  } catch (thrown) {
    hold.release();
    throw thrown;
  }
};
