import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileCache } from "../../../core/compile-cache.ts";
import { STOPPING, Unavailable } from "../../../core/unavailable.ts";
import { Defect } from "../../../core/unreachable.ts";
import { QueryError } from "../../../hogql/errors.ts";
import type { Database, DatabaseOptions, SelectOptions, Take } from "../../duckdb/duckdb.ts";
import { FAULTS, queryError } from "../../faults.ts";
import { hideEnvironment } from "./hidden-environment.ts";
import { NotBegun, openPendingQueries } from "./pending-queries.ts";
import type { Answer, Order } from "./process-messages.ts";

/**
 * Runs queries in a process of their own. An interrupt ends a query between its steps only: one value that never ends being
 * computed, constants that are computed while the query is planned among them, and memory that the engine does not count, end
 * with the process. The next query starts another.
 */
export interface QueryProcess {
  /** A database that lives in the process, and is opened again in the next one. It has no files of its own to write. */
  open(options: DatabaseOptions): QueryDatabase;
  /** Starts the process, so that it is there when the first query comes. */
  warm(): void;
  /** Memory that the process holds for a query that it runs, MB. */
  workingMb(): number;
  /** Ends the process where it has nothing to do and still holds more than so many MB of what the queries before took. */
  refresh(mostMb: number): void;
  /** Ends the process for good; who waits for it is thrown `Unavailable`. */
  close(): void;
}

/** A database that is asked, and writes nothing. */
export interface QueryDatabase extends Pick<Database, "close"> {
  /** As a database's own; a signal ends it with its reason, and the process with it. */
  select(
    sql: string,
    parameters: Parameters<Database["select"]>[1],
    timeMs: number,
    take: Take,
    more?: SelectOptions & { readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
}

/** The process starts and opens a database within this; a fraction of a second, where the machine is not busy. */
const START_MS = 15_000;
/** An interrupted query has this long to end. */
const GRACE_MS = 1_000;
/** Memory is looked at this often. */
const LOOK_MS = 50;
/**
 * The memory that the process may hold beyond the engine's own limit: code, rows on their way, and values that the engine does not count. A
 * deployed function gives the engine half of its memory, so this leaves a fifth of it to the rest and to what is held between looks.
 */
const MEMORY_FACTOR = 1.4;
const MEMORY_BESIDE_MB = 256;

/** Beside this module as it is written, and in a bundle. */
const PROGRAM = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./engine-process.ts" : "./engine-process.mjs", import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly opened: Set<number>;
}

/** The most that processes with databases of this size may hold together, MB. */
export const mostHeldMb = (memoryMb: number): number => memoryMb * MEMORY_FACTOR + MEMORY_BESIDE_MB;

/**
 * `besideMb` tells what the queries of other processes hold, MB: one that takes more than there is for all of them is ended where it takes
 * more than they do. Each step is a few lines over the same three: the process that runs, the numbers given, and the pending queries. Nobody
 * else may change these.
 */
export const openQueryProcess = (besideMb: () => number = () => 0): QueryProcess => {
  let running: Running | undefined;
  let numbers = 0;
  let isClosed = false;
  const pending = openPendingQueries();

  const end = (error: Error): void => {
    running?.child.kill("SIGKILL");
    running = undefined;
    pending.fail(error);
  };

  const start = (): Running => {
    hideEnvironment();
    const child = fork(PROGRAM, {
      serialization: "advanced",
      execArgv: [],
      env: environment(),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const started: Running = { child, opened: new Set() };
    const enough = (id: number) => child.send({ kind: "enough", id } satisfies Order);
    child.on("message", (message) => pending.hear(asAnswer(message), enough));
    child.on("error", (error) => running === started && end(new Defect(`the engine's process failed: ${error.message}`)));
    child.on("exit", (code, signal) => running === started && end(brokenOff(code, signal)));
    // It keeps nobody alive; a query that runs is kept by its own watch.
    child.unref();
    child.channel?.unref();
    running = started;
    return started;
  };

  /** Ends the process for its query's sake, and starts the one that the next query will find. */
  const stop = (error: Error): void => {
    end(error);
    start();
  };

  const isTooMuch = (held: number, most: number): boolean => {
    if (held > most) return true;
    const beside = besideMb();
    return held + beside > most && held >= beside;
  };

  const tell = (database: number, options: DatabaseOptions, order: Order): Running => {
    const { child, opened } = running ?? start();
    if (!opened.has(database)) child.send({ kind: "open", database, options } satisfies Order);
    opened.add(database);
    child.send(order);
    return { child, opened };
  };

  const ask = async (
    order: Extract<Order, { kind: "select" }>,
    options: DatabaseOptions,
    take: Take,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    if (isClosed) throw new Unavailable(STOPPING);
    signal?.throwIfAborted();
    const { id, database, timeMs } = order;
    let late = setTimeout(() => end(new Defect("the engine's process did not start")), START_MS);
    const began = (): void => {
      clearTimeout(late);
      late = setTimeout(() => stop(queryError(FAULTS.timeout)), timeMs + GRACE_MS);
    };
    const most = mostHeldMb(options.memoryMb);
    const answered = pending.add(id, take, began);
    const { child } = tell(database, options, order);
    const watch = setInterval(() => {
      if (isTooMuch(heldMb(child.pid), most)) stop(queryError(FAULTS.memory));
    }, LOOK_MS);
    const abort = (): void => stop(signal?.reason);
    signal?.addEventListener("abort", abort);
    try {
      await answered;
    } finally {
      signal?.removeEventListener("abort", abort);
      clearTimeout(late);
      clearInterval(watch);
    }
  };

  const open = (options: DatabaseOptions): QueryDatabase => {
    const database = numbers++;
    return {
      async select(sql, parameters, timeMs, take, { signal, ...more } = {}) {
        const order = { kind: "select", id: numbers++, database, sql, parameters, timeMs, more } as const;
        try {
          await ask(order, options, take, signal);
        } catch (error) {
          if (!(error instanceof NotBegun)) throw error;
          // The process died while nobody asked it, or could not start: a fresh one takes the query, once.
          await ask({ ...order, id: numbers++ }, options, take, signal).catch((again: unknown) => {
            throw again instanceof NotBegun ? again.cause : again;
          });
        }
      },
      close() {
        if (running?.opened.delete(database)) running.child.send({ kind: "close", database } satisfies Order);
      },
    };
  };

  return {
    open,
    warm() {
      if (running === undefined && !isClosed) start();
    },
    workingMb: () => (running === undefined || pending.size === 0 ? 0 : heldMb(running.child.pid)),
    refresh(mostMb) {
      if (running !== undefined && pending.size === 0 && heldMb(running.child.pid) > mostMb) end(REPLACED);
    },
    close() {
      isClosed = true;
      end(new Unavailable(STOPPING));
    },
  };
};

const REPLACED = new Defect("the engine's process was replaced");

/** Nothing of ours: the process needs no credentials and no settings. */
const environment = (): NodeJS.ProcessEnv => ({
  ...(process.env.LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH }),
  ...compileCache(process.env),
});

/** Memory of its own that a process holds, MB; 0 where the system does not tell. */
const heldMb = (pid: number | undefined): number => {
  try {
    const [, kilobytes = "0"] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1_000;
  } catch {
    return 0;
  }
};

const CRASHES: ReadonlySet<string> = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE"]);

/** Why a process that nobody ended is gone: the system kills the one that holds most memory, and deep recursion ends in a crash. */
const brokenOff = (code: number | null, signal: NodeJS.Signals | null): Error => {
  if (signal === "SIGKILL") return queryError(FAULTS.memory);
  if (signal !== null && CRASHES.has(signal)) {
    return new QueryError(
      "too_complex",
      "The engine could not finish this query. Write it with fewer levels of nesting, or in several steps.",
    );
  }
  return new Defect(`the engine's process ended with ${signal ?? code}`);
};

/** Only the engine's process sends answers. */
const asAnswer = (message: unknown): Answer => message as Answer;
