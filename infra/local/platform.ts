import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { capture } from "../../functions/capture/group.ts";
import { groups } from "../../functions/index.ts";
import type { World } from "../../lib/app/world.ts";
import { forgetCallers } from "../../lib/auth/callers.ts";
import { lakeAddress } from "./clickhouse/lake-address.ts";
import { fetchLibrary } from "./clickhouse/library.ts";
import { type ClickHouseServer, startClickHouse } from "./clickhouse/server.ts";
import { type ProvisionResult, provision } from "./provision.ts";
import { type HttpServer, startServer } from "./server.ts";
import { signIn } from "./sign-in.ts";
import { startupNotices } from "./startup-notices.ts";
import { type LocalDynamodb, startDynamodb, tableFile } from "./stores/dynamodb.ts";
import { FORGET_KEYS, type Hold, holdDirectory, readRunning } from "./stores/lock.ts";
import { type LocalStore, startStore, storeDirectory } from "./stores/queue-and-objects.ts";
import { type LogMode, type TerminalLog, terminalLog } from "./terminal-log.ts";
import { UserError } from "./user-error.ts";
import { type LargeBodies, largeBodiesAside } from "./workers/large-bodies.ts";
import { startWorkers, type Workers } from "./workers/workers.ts";
import { type LocalStores, openLocal, prepare } from "./world.ts";

export interface PlatformOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Without the demo organization and its data. */
  readonly empty: boolean;
  /** With a ClickHouse beside it. */
  readonly clickhouse?: boolean;
  /** The kind of log; faults alone where it is left out. */
  readonly log?: LogMode;
  /** Ends a start that is under way, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Platform extends ProvisionResult {
  readonly baseUrl: string;
  readonly ingestUrl: string;
  readonly dataDir: string;
  readonly world: World;
  /** Where the ClickHouse beside it answers, if there is one. */
  readonly clickhouse?: string;
  /** Sentences about what the platform that had the directory before left behind. */
  readonly notices: readonly string[];
  /** Settles only by failing, when a part of the platform ended by itself. */
  readonly failed: Promise<never>;
  /**
   * Answers what is in flight and ends the batches in work, for as long as a stop may take; what is left comes again at the next start as if it
   * had never been begun. False where something is still at work that only the end of the process can end.
   */
  stop(): Promise<boolean>;
}

/** A platform that was just told to end may have the directory for so long, and one that says that it runs, for so long. */
const HOLD_BUDGET_MS = 6_000;
const RUNS_BUDGET_MS = 1_000;
const HOLD_AGAIN_MS = 100;

/** Throws the `UserError` that names who has the directory. */
const hold = async (dataDir: string): Promise<Hold> => {
  const began = performance.now();
  const budgetMs = (): number => (readRunning(dataDir) ? RUNS_BUDGET_MS : HOLD_BUDGET_MS);
  do {
    const held = holdDirectory(dataDir);
    if (held) return held;
    await pause(HOLD_AGAIN_MS);
  } while (performance.now() - began < budgetMs());
  const other = readRunning(dataDir);
  const who = other ? ` (process ${other.pid}, ${other.base_url})` : "";
  throw new UserError(`A platform already runs on ${dataDir}${who}: stop it first, or choose another directory with --data-dir.`);
};

/** The parts in the order in which they start. Requests and workers end before all others, beside each other. */
interface StartedParts {
  log?: TerminalLog;
  server?: HttpServer;
  largeBodies?: LargeBodies;
  store?: LocalStore;
  dynamodb?: LocalDynamodb;
  clickhouse?: ClickHouseServer;
  world?: World;
  workers?: Workers;
  forget?: () => void;
}

/** A request in flight may take so long; then the queries are ended, so that whoever waits for one is answered. */
const ANSWER_MS = 2_000;

/** Takes less than five seconds, whatever is at work. */
const end = async (started: StartedParts, held: Hold): Promise<boolean> => {
  held.withdraw();
  const answering = started.server?.stop();
  const working = started.workers?.stop();
  await Promise.race([answering, pause(ANSWER_MS, undefined, { ref: false })]);
  started.log?.end();
  await started.world?.engine.close();
  await answering;
  await started.largeBodies?.stop();
  const isOver = (await working) ?? true;
  await Promise.all([started.store?.stop(), started.dynamodb?.stop(), started.clickhouse?.stop()]);
  held.release();
  if (started.forget) process.off(FORGET_KEYS, started.forget);
  return isOver;
};

const start = async (options: PlatformOptions, dataDir: string, held: Hold, started: StartedParts): Promise<Platform> => {
  // The port first: it is what most often cannot be had. Requests that come early wait.
  const largeBodies = largeBodiesAside(() => ({ place, log }));
  started.largeBodies = largeBodies;
  const served = groups.map((group) => (group.name === capture.name ? largeBodies.group : group));
  const server = await startServer([...served, signIn(dataDir)], options.host, options.port);
  started.server = server;
  started.store = await startStore(storeDirectory(dataDir));
  started.dynamodb = await startDynamodb(tableFile(dataDir));
  const { origin } = server;
  const addresses = { dynamodb: started.dynamodb.endpoint, store: started.store.endpoint };
  if (options.clickhouse) {
    const packages = await fetchLibrary();
    const directory = join(dataDir, "clickhouse");
    started.clickhouse = await startClickHouse({ packages, directory, lake: lakeAddress(addresses.store) });
  }
  const clickhouse = started.clickhouse && { url: started.clickhouse.url, ...started.clickhouse.platform };
  const place: LocalStores = { ...addresses, dataDir, baseUrl: origin, ingestUrl: origin, ...(clickhouse && { clickhouse }) };
  await prepare(place);
  options.signal?.throwIfAborted();
  const log = terminalLog(dataDir, options.log);
  started.log = log;
  const { world } = openLocal(place, "requests", log);
  started.world = world;
  const workers = startWorkers(place, log, started.store.used);
  started.workers = workers;
  const forget = (): void => forgetCallers(world.table);
  started.forget = forget;
  process.on(FORGET_KEYS, forget);
  server.open(world);
  const provisioned = await provision(dataDir, world, { origin, empty: options.empty });
  const { deadLetters, inWork } = started.store;
  options.signal?.throwIfAborted();
  log.begin(() => Object.values(deadLetters()).reduce((sum, messages) => sum + messages, 0));
  const notices = startupNotices({ wasKilled: held.wasKilled, inWork, deadLetters: deadLetters() }, options.dataDir);
  held.announce({ pid: process.pid, base_url: origin, ingest_url: origin, ...addresses });
  return {
    baseUrl: origin,
    ingestUrl: origin,
    dataDir,
    world,
    ...provisioned,
    ...(clickhouse && { clickhouse: clickhouse.url }),
    notices,
    failed: workers.failed,
    stop: () => end(started, held),
  };
};

const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work;
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};

/** The whole platform in this process on embedded parts. Throws a `UserError` for what its caller can put right. */
export const startPlatform = async (options: PlatformOptions): Promise<Platform> => {
  const dataDir = resolve(options.dataDir);
  const held = await hold(dataDir);
  const started: StartedParts = {};
  try {
    return await unlessAborted(start(options, dataDir, held, started), options.signal);
  } catch (thrown) {
    await end(started, held);
    throw thrown;
  }
};
