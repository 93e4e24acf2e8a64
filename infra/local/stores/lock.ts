import { accessSync, chmodSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { isDiskFull } from "../../../lib/core/unavailable.ts";
import { UserError } from "../user-error.ts";
import { makeDirectory, ownDirectory } from "./own-directory.ts";

/** The record of a running platform in its data directory. */
export const Running = z.object({
  pid: z.number(),
  base_url: z.string(),
  ingest_url: z.string(),
  /** Addresses of the embedded parts, for the operator's commands. */
  dynamodb: z.string(),
  store: z.string(),
});
export type Running = z.output<typeof Running>;

/** Sent to a running platform after keys were made or revoked: it then reads callers afresh, at once instead of within 30 seconds. */
export const FORGET_KEYS = "SIGUSR2";

const runningFile = (dataDir: string): string => join(dataDir, "platform.json");

/** Only one process may have a data directory: the hold ends with the process, however it ends. */
export interface Hold {
  /** Whether the platform that had the directory before was killed. */
  readonly wasKilled: boolean;
  announce(running: Running): void;
  /** Says that the platform is ending: nobody can ask it any more. */
  withdraw(): void;
  release(): void;
}

/** Undefined when another process has the directory. The database's own lock is used because the system drops it with its holder. */
export const holdDirectory = (dataDir: string): Hold | undefined => {
  ownDirectory(dataDir, "--data-dir", () => {
    makeDirectory(dataDir, PRIVATE);
    chmodSync(dataDir, PRIVATE);
  });
  const database = lock(join(dataDir, "platform.lock"));
  if (database === undefined) return undefined;
  const withdraw = (): void => rmSync(runningFile(dataDir), { force: true });
  const wasKilled = existsSync(runningFile(dataDir));
  withdraw();
  return {
    wasKilled,
    withdraw,
    announce(running) {
      writeFileSync(runningFile(dataDir), `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
    },
    release() {
      withdraw();
      database.close();
    },
  };
};

/** Keys and customers' events lie in it: nobody else on this machine is to look. */
const PRIVATE = 0o700;

const lock = (file: string): DatabaseSync | undefined => {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    // What may only be read is opened all the same, and then locks nobody out.
    accessSync(file, constants.W_OK);
    return database;
  } catch (thrown) {
    database.close();
    if (isDiskFull(thrown)) throw thrown;
    if (isBusy(thrown)) return undefined;
    throw new UserError(`${file} cannot be locked (${thrownMessage(thrown)}): make it yours to write.`);
  }
};

const SQLITE_BUSY = 5;

const isBusy = (thrown: unknown): boolean => thrown instanceof Error && "errcode" in thrown && thrown.errcode === SQLITE_BUSY;

/** The record of the platform that has the directory, once it is ready. */
export const readRunning = (dataDir: string): Running | undefined => {
  try {
    return Running.parse(JSON.parse(readFileSync(runningFile(dataDir), "utf8")));
  } catch {
    return undefined;
  }
};
