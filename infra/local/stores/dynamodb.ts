import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { endChild, whenStarted } from "../child-process.ts";
import { UserError } from "../user-error.ts";
import { freePort } from "./free-port.ts";

/** The file in which a data directory keeps its table. */
export const tableFile = (dataDir: string): string => join(dataDir, "table.db");

/** A running DynamoDB: its endpoint, and how to end it. */
export interface LocalDynamodb {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** A new database answers in under 50 ms; this is for machines that are busy. */
const START_BUDGET_MS = 20_000;
const PROBE_PAUSE_MS = 5;

/**
 * Starts the database beside a watcher that ends it when our end of the pipe closes, however we end: a killed platform
 * leaves no database behind that would hold its file.
 */
const WATCHED = 'exec 3<&0; "$@" </dev/null & child=$!; (cat <&3 >/dev/null; kill "$child") & wait "$child"';

/** The embedded database: the address in DYNAMODB_ENDPOINT, else the packaged binary, else a `dynoxide` on the path. */
export const startDynamodb = async (file: string, environment: NodeJS.ProcessEnv = process.env): Promise<LocalDynamodb> => {
  const given = environment.DYNAMODB_ENDPOINT;
  if (given) return { endpoint: given, stop: async () => undefined };
  const binary = packaged() ?? onPath(environment.PATH ?? "");
  if (!binary) {
    throw new UserError(
      `There is no embedded DynamoDB for ${process.platform}-${process.arch}: put \`dynoxide\` on the PATH, or start DynamoDB Local and set DYNAMODB_ENDPOINT to its address.`,
    );
  }
  const port = await freePort();
  const command = [binary, "serve", "--host", "127.0.0.1", "--port", String(port), "--db-path", file];
  // A process group of its own, so that the terminal's interrupt reaches only us and the database outlives our last request.
  const child = spawn("sh", ["-c", WATCHED, "sh", ...command], { stdio: ["pipe", "ignore", "pipe"], detached: true });
  const endpoint = `http://127.0.0.1:${port}`;
  await whenStarted(child, {
    name: "The embedded DynamoDB",
    look: () => answers(endpoint),
    pauseMs: PROBE_PAUSE_MS,
    budgetMs: START_BUDGET_MS,
  });
  // Closing the pipe lets the watcher end the database in order, if need be after we are gone.
  return { endpoint, stop: () => endChild(child) };
};

const packaged = (): string | undefined => {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "dynoxide");
  } catch {
    return undefined;
  }
};

const onPath = (path: string): string | undefined =>
  path
    .split(delimiter)
    .map((folder) => join(folder, "dynoxide"))
    .find((file) => existsSync(file));

const answers = async (endpoint: string): Promise<true | undefined> => {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return undefined;
  }
};
