import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { groups } from "../../functions/index.ts";
import { forgetCallers } from "../../lib/auth/callers.ts";
import type { World } from "../../lib/world/world.ts";
import { type ProvisionResult, provision } from "./provision.ts";
import { type HttpServer, startServer } from "./server.ts";
import { type LocalDynamodb, startDynamodb } from "./stores/dynamodb.ts";
import { FORGET_KEYS, type Hold, holdDirectory, readRunning } from "./stores/lock.ts";
import { type LocalStore, startStore, storeDirectory } from "./stores/queue-and-objects.ts";
import { type LogMode, terminalLog } from "./terminal-log.ts";
import { UserError } from "./user-error.ts";
import { startWorkers, type Workers } from "./workers/workers.ts";
import { type LocalStores, openLocal, prepare } from "./world.ts";

export interface PlatformOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Without the demo organization and its data. */
  readonly empty: boolean;
  /** What the terminal shows; only what went wrong where this is left out. */
  readonly log?: LogMode;
}

export interface Platform extends ProvisionResult {
  readonly baseUrl: string;
  readonly ingestUrl: string;
  readonly dataDir: string;
  readonly world: World;
  /** Settles only by failing, when a part of the platform ended by itself. */
  readonly failed: Promise<never>;
  /** Answers what is in flight, ends the batches in work, and leaves everything else durable. */
  stop(): Promise<void>;
}

/** A platform that was just told to end may have the directory for so long. */
const HOLD_BUDGET_MS = 3_000;
const HOLD_AGAIN_MS = 100;

/** Throws the `UserError` that names who has the directory. */
const hold = async (dataDir: string): Promise<Hold> => {
  const deadline = performance.now() + HOLD_BUDGET_MS;
  do {
    const held = holdDirectory(dataDir);
    if (held) return held;
    await pause(HOLD_AGAIN_MS);
  } while (performance.now() < deadline);
  const other = readRunning(dataDir);
  const who = other ? ` (process ${other.pid}, ${other.base_url})` : "";
  throw new UserError(`A platform already runs on ${dataDir}${who}: stop it first, or choose another directory with --data-dir.`);
};

/** The parts in the order in which they start; they end the other way round, but for the server, which ends before all others. */
interface StartedParts {
  server?: HttpServer;
  store?: LocalStore;
  dynamodb?: LocalDynamodb;
  world?: World;
  workers?: Workers;
  forget?: () => void;
}

const end = async (started: StartedParts, held: Hold): Promise<void> => {
  await started.server?.stop();
  await started.workers?.stop();
  await started.world?.engine.close();
  await Promise.all([started.store?.stop(), started.dynamodb?.stop()]);
  held.release();
  if (started.forget) process.off(FORGET_KEYS, started.forget);
};

const start = async (options: PlatformOptions, dataDir: string, held: Hold, started: StartedParts): Promise<Platform> => {
  // The port first: it is what most often cannot be had. Requests that come early wait.
  const server = await startServer(groups, options.host, options.port);
  started.server = server;
  started.store = await startStore(storeDirectory(dataDir));
  started.dynamodb = await startDynamodb(join(dataDir, "table.db"));
  const { origin } = server;
  const addresses = { dynamodb: started.dynamodb.endpoint, store: started.store.endpoint };
  const place: LocalStores = { ...addresses, dataDir, baseUrl: origin, ingestUrl: origin };
  await prepare(place);
  const log = terminalLog(options.log);
  const { world } = openLocal(place, "requests", log);
  started.world = world;
  const workers = startWorkers(place, log);
  started.workers = workers;
  const forget = (): void => forgetCallers(world.table);
  started.forget = forget;
  process.on(FORGET_KEYS, forget);
  server.open(world);
  const provisioned = await provision(dataDir, world, { origin, empty: options.empty });
  log.begin();
  held.announce({ pid: process.pid, base_url: origin, ingest_url: origin, ...addresses });
  return { baseUrl: origin, ingestUrl: origin, dataDir, world, ...provisioned, failed: workers.failed, stop: () => end(started, held) };
};

/** The whole platform in this process on embedded parts. Throws a `UserError` for what its caller can put right. */
export const startPlatform = async (options: PlatformOptions): Promise<Platform> => {
  const dataDir = resolve(options.dataDir);
  const held = await hold(dataDir);
  const started: StartedParts = {};
  try {
    return await start(options, dataDir, held, started);
  } catch (thrown) {
    await end(started, held);
    throw thrown;
  }
};
