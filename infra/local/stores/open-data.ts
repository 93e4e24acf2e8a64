import { resolve } from "node:path";
import { terminalLog } from "../terminal-log.ts";
import { UserError } from "../user-error.ts";
import { type LocalParts, type LocalStores, openLocal, prepare } from "../world.ts";
import { commandEngine } from "./command-engine.ts";
import { type LocalDynamodb, startDynamodb, tableFile } from "./dynamodb.ts";
import { FORGET_KEYS, holdDirectory, type Running, readRunning } from "./lock.ts";
import { type LocalStore, startStore, storeDirectory } from "./queue-and-objects.ts";

export interface OpenData extends LocalParts {
  /** No platform runs on the directory, and nobody works off its queues. */
  readonly isAtRest: boolean;
  /** Makes the platform that runs on the directory, if one does, read keys afresh. */
  forgetKeys(): void;
  close(): Promise<void>;
}

const storesAt = (dataDir: string, dynamodb: string, store: string, baseUrl: string): LocalStores => ({
  dynamodb,
  store,
  dataDir,
  baseUrl,
  ingestUrl: baseUrl,
});

/** An embedded part that runs answers in milliseconds. */
const ANSWER_MS = 5_000;

/** Throws the `UserError` that names the part that does not answer. */
const checkAnswers = async (dataDir: string, { pid, dynamodb, store }: Running): Promise<void> => {
  for (const address of [dynamodb, store]) {
    await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => {
      throw new UserError(
        `The platform that has ${dataDir} (process ${pid}) does not answer at ${address}: stop it and try again, or run the command where it runs.`,
      );
    });
  }
};

/** The parts of a command, whose engine has a directory that ends with it. */
const openWorld = async (place: LocalStores): Promise<{ readonly parts: LocalParts; end(): Promise<void> }> => {
  const engine = await commandEngine(place.dataDir);
  const parts = openLocal(place, engine.name, terminalLog(place.dataDir));
  return {
    parts,
    async end() {
      await parts.world.engine.close();
      await engine.remove();
    },
  };
};

interface EmbeddedParts {
  readonly dynamodb: LocalDynamodb;
  readonly store: LocalStore;
  stop(): Promise<void>;
}

/** Where one part does not start, the other is ended: it would keep the command running for ever. */
const startParts = async (dataDir: string): Promise<EmbeddedParts> => {
  const starting = [startDynamodb(tableFile(dataDir)), startStore(storeDirectory(dataDir))] as const;
  try {
    const [dynamodb, store] = await Promise.all(starting);
    return {
      dynamodb,
      store,
      async stop() {
        await Promise.all([dynamodb.stop(), store.stop()]);
      },
    };
  } catch (thrown) {
    for (const part of await Promise.allSettled(starting)) if (part.status === "fulfilled") await part.value.stop();
    throw thrown;
  }
};

/** The world over parts that were started for it; they end with it, or where there is none. */
const worldOver = async (dataDir: string, { dynamodb, store, stop }: EmbeddedParts) => {
  try {
    const place = storesAt(dataDir, dynamodb.endpoint, store.endpoint, "");
    await prepare(place);
    const { parts, end } = await openWorld(place);
    return {
      parts,
      async end() {
        await end().finally(stop);
      },
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
};

/**
 * The world of a data directory for an operator's command: through the platform that runs on it, else over the embedded parts,
 * which the command then starts for itself and ends with `close`.
 */
export const openData = async (directory: string): Promise<OpenData> => {
  const dataDir = resolve(directory);
  const hold = holdDirectory(dataDir);
  if (!hold) {
    const running = readRunning(dataDir);
    if (!running)
      throw new UserError(`A platform is starting or ending on ${dataDir}, or another command is at work there: try again in a moment.`);
    await checkAnswers(dataDir, running);
    const { parts, end } = await openWorld(storesAt(dataDir, running.dynamodb, running.store, running.base_url));
    const forgetKeys = (): void => {
      try {
        process.kill(running.pid, FORGET_KEYS);
      } catch {
        // It is not ours to signal; within half a minute it reads them by itself.
      }
    };
    return { ...parts, isAtRest: false, forgetKeys, close: end };
  }
  try {
    const { parts, end } = await worldOver(dataDir, await startParts(dataDir));
    return {
      ...parts,
      isAtRest: true,
      forgetKeys: () => undefined,
      async close() {
        await end().finally(() => hold.release());
      },
    };
  } catch (thrown) {
    hold.release();
    throw thrown;
  }
};
