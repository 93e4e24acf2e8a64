import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { credentialsFile } from "./credentials.ts";
import { type Platform, type PlatformOptions, startPlatform } from "./platform.ts";
import type { LogMode } from "./terminal-log.ts";
import { UserError } from "./user-error.ts";

const HELP = `Runs the whole platform on this machine.

  npm start -- [flags]

  --port N        listening port (PORT; default 8000; 0 = any free one)
  --host H        bind address (HOST; default 127.0.0.1)
  --data-dir D    where table, queue and lake persist (DATA_DIR; default .local)
  --empty         no demo organization and no demo data
  --quiet         no line a second of what happens, only what goes wrong
  --log json      every line that a deployment would log, as JSON on standard error

Example: npm start -- --port 0 --data-dir /tmp/try --empty
`;

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  "data-dir": { type: "string" },
  empty: { type: "boolean" },
  quiet: { type: "boolean" },
  log: { type: "string" },
  help: { type: "boolean" },
} as const;

const MAX_PORT = 65_535;

const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= MAX_PORT)) throw new UserError(`"${text}" is no port: give a number from 0 to ${MAX_PORT}.`);
  return port;
};

const logOf = (named: string | undefined, { quiet, all }: { readonly quiet: boolean; readonly all: boolean }): LogMode => {
  if (named !== undefined && named !== "json") throw new UserError(`"${named}" is no kind of log: give --log json, or leave it out.`);
  if (named === "json" || all) return "json";
  return quiet ? "quiet" : "lines";
};

const flags = () => {
  try {
    return parseArgs({ options: FLAGS, allowPositionals: false }).values;
  } catch (thrown) {
    throw new UserError(`${thrown instanceof Error ? thrown.message : String(thrown)}\n\n${HELP}`);
  }
};

/**
 * How much more than what is in use a heap holds before all of it is gone through. By default that shrinks where going through it takes
 * long, as it does while requests, drains and their queries share two processors, which then do that instead of their work.
 */
const HEAP_GROWTH_PERCENT = 300;

const readOptions = (environment: NodeJS.ProcessEnv): PlatformOptions | undefined => {
  const given = flags();
  if (given.help) return undefined;
  return {
    port: portOf(given.port ?? (environment.PORT || "8000")),
    host: given.host ?? (environment.HOST || "127.0.0.1"),
    dataDir: given["data-dir"] ?? (environment.DATA_DIR || ".local"),
    empty: given.empty ?? false,
    log: logOf(given.log, { quiet: given.quiet ?? false, all: environment.LOG === "all" }),
  };
};

const greeting = ({ baseUrl, ingestUrl, firstCall }: Platform, dataDir: string): string =>
  [
    "",
    `The platform runs.   API ${baseUrl}   SDKs ${ingestUrl}`,
    `Keys: ${credentialsFile(dataDir)}`,
    ...(firstCall ? ["Try it:", `  ${firstCall}`] : [`Nothing in it yet: npm run admin -- apply FILE --data-dir ${dataDir}`]),
    `Ctrl-C ends it; everything stays in ${dataDir}.`,
    "",
    "",
  ].join("\n");

const PARENT_CHECK_MS = 250;

/**
 * Settles when the npm that started us is gone. Whoever kills `npm start` means the platform; npm itself passes on no more than
 * polite signals, and none when it is killed.
 */
const parentGone = (environment: NodeJS.ProcessEnv): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const parent = process.ppid;
  if (environment.npm_lifecycle_event === "start") setInterval(() => process.ppid === parent || resolve(), PARENT_CHECK_MS).unref();
  return promise;
};

const run = async (options: PlatformOptions): Promise<void> => {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>();
  process.once("SIGINT", () => interrupt());
  process.once("SIGTERM", () => interrupt());
  const platform = await startPlatform(options);
  process.stdout.write(greeting(platform, options.dataDir));
  try {
    await Promise.race([interrupted, parentGone(process.env), platform.failed]);
  } finally {
    await platform.stop();
  }
};

try {
  const options = readOptions(process.env);
  if (options) await run(options);
  else process.stdout.write(HELP);
  process.exit(0);
} catch (thrown) {
  const text = thrown instanceof UserError ? thrown.message : thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
