import { parseArgs } from "node:util";
import { thrownMessage } from "../../lib/core/thrown-message.ts";
import type { PlatformOptions } from "./platform.ts";
import type { LogMode } from "./terminal-log.ts";
import { UserError } from "./user-error.ts";

export const HELP = `Runs the whole platform on this machine.

  npm start -- [flags]

  --port N        listening port (PORT; default 8000; 0 = any free one)
  --host H        bind address (HOST; default 127.0.0.1)
  --data-dir D    where table, queues and lake are kept (DATA_DIR; default .local)
  --clickhouse    starts a ClickHouse as well, for queries that are too large for the embedded engine or ask for it
  --empty         no demo organization and no demo data
  --quiet         prints only what goes wrong, and no line a second of what happens
  --log json      every line that a deployment would log, as JSON on standard error

Example: npm start -- --port 0 --data-dir /tmp/try --empty
`;

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  "data-dir": { type: "string" },
  clickhouse: { type: "boolean" },
  empty: { type: "boolean" },
  quiet: { type: "boolean" },
  log: { type: "string" },
  help: { type: "boolean" },
} as const;

const MAX_PORT = 65_535;

const readPort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= MAX_PORT)) throw new UserError(`"${text}" is no port: give a number from 0 to ${MAX_PORT}.`);
  return port;
};

const logMode = (named: string | undefined, { quiet, all }: { readonly quiet: boolean; readonly all: boolean }): LogMode => {
  if (named !== undefined && named !== "json") throw new UserError(`"${named}" is no kind of log: give --log json, or leave it out.`);
  if (named === "json" || all) return "json";
  return quiet ? "quiet" : "lines";
};

/** An empty one would be every address of this machine. */
const readHost = (text: string): string => {
  if (text.trim() === "") throw new UserError("--host names no address: give one, or leave it out.");
  return text;
};

const readDirectory = (text: string): string => {
  if (text.trim() === "") throw new UserError("--data-dir names no directory: give one, or leave it out.");
  return text;
};

/** A flag and the negative number after it as one word: the parser takes that for a flag of its own. */
const joined = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    if (/^-\d/.test(word) && words[at - 1]?.startsWith("--")) return [];
    const next = words[at + 1] ?? "";
    return word.startsWith("--") && /^-\d/.test(next) ? [`${word}=${next}`] : [word];
  });

const flags = (words: readonly string[]) => {
  try {
    return parseArgs({ args: joined(words), options: FLAGS, allowPositionals: false }).values;
  } catch (thrown) {
    // What the parser says after its first sentence is about positional arguments, and there are none.
    const [said = ""] = thrownMessage(thrown).split(/\.\s/);
    throw new UserError(`${said.replace(/\.$/, "")}: \`npm start -- --help\` shows the flags.`);
  }
};

/** The options that a command line and the environment give; undefined where help is asked for. Throws a `UserError` of one sentence. */
export const readOptions = (words: readonly string[], environment: NodeJS.ProcessEnv): PlatformOptions | undefined => {
  const given = flags(words);
  if (given.help) return undefined;
  return {
    port: readPort(given.port ?? (environment.PORT || "8000")),
    host: readHost(given.host ?? (environment.HOST || "127.0.0.1")),
    dataDir: readDirectory(given["data-dir"] ?? (environment.DATA_DIR || ".local")),
    empty: given.empty ?? false,
    clickhouse: given.clickhouse ?? false,
    log: logMode(given.log, { quiet: given.quiet ?? false, all: environment.LOG === "all" }),
  };
};
