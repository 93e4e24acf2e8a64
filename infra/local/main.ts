import { aborted } from "node:util";
import { setFlagsFromString } from "node:v8";
import { builtConsole } from "../../functions/console/built-console.ts";
import { isDiskFull } from "../../lib/core/unavailable.ts";
import { findLibrary } from "./clickhouse/library.ts";
import { credentialsFile } from "./credentials.ts";
import { HELP, readOptions } from "./flags.ts";
import { type Platform, type PlatformOptions, startPlatform } from "./platform.ts";
import { shellWord } from "./shell-word.ts";
import { UserError } from "./user-error.ts";

/**
 * How much more than what is in use a heap holds before all of it is gone through. By default that shrinks where going through it takes
 * long, as it does while requests, drains and their queries share two processors, which then do that instead of their work. Each thread
 * has a heap: with three times as much, an import takes no less of the processor, and all of them together a hundred megabytes more.
 */
const HEAP_GROWTH_PERCENT = 100;

const greeting = ({ baseUrl, ingestUrl, firstCall, clickhouse, notices }: Platform, dataDir: string): string =>
  [
    "",
    ...notices,
    `The platform runs.   API ${baseUrl}   SDKs ${ingestUrl}`,
    `Console: ${baseUrl}/`,
    ...(clickhouse ? [`ClickHouse: ${clickhouse}`] : []),
    `Keys: ${credentialsFile(dataDir)}`,
    ...(firstCall ? ["Try it:", `  ${firstCall}`] : [`It is empty: npm run admin -- apply FILE --data-dir ${shellWord(dataDir)}`]),
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

/** Runs until it is told to end. A second signal changes nothing: at a terminal, npm passes on the one that we were sent already. */
const run = async (options: PlatformOptions): Promise<void> => {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  if (options.clickhouse && findLibrary() === undefined)
    process.stdout.write("ClickHouse's library, half a gigabyte, is fetched first, into .local/chdb.\n");
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => interrupted.abort());
  const platform = await startPlatform({ ...options, signal: interrupted.signal }).catch((thrown: unknown) => {
    if (interrupted.signal.aborted) return undefined;
    throw thrown;
  });
  if (platform === undefined) return;
  process.stdout.write(greeting(platform, options.dataDir));
  // Whoever opens the console first shall not wait for its build; where that fails, the page says so.
  builtConsole().catch(() => undefined);
  try {
    await Promise.race([aborted(interrupted.signal, platform), parentGone(process.env), platform.failed]);
  } finally {
    // Everything is stored by then. An ordinary exit would wait for what cannot be ended.
    if (!(await platform.stop())) process.kill(process.pid, "SIGKILL");
  }
};

const sentence = (thrown: unknown): string => {
  if (isDiskFull(thrown)) return "The disk that the data directory lies on is full: make room, and start again.";
  if (thrown instanceof UserError) return thrown.message;
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
};

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options) await run(options);
  else process.stdout.write(HELP);
  process.exit(0);
} catch (thrown) {
  process.stderr.write(`${sentence(thrown)}\n`);
  process.exit(1);
}
