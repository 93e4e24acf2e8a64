import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UserError } from "../user-error.ts";
import { type LakeAddress, OPERATOR_USER, type Passwords, PLATFORM_USER, writeConfiguration } from "./configuration.ts";

export interface ServerOptions {
  /** The folder of packages that holds the library. */
  readonly packages: string;
  /** For its files; it is emptied. */
  readonly directory: string;
  readonly lake: LakeAddress;
  /** 0, and where it is left out, for any free one. */
  readonly port?: number;
}

/** A user of the server, by name and password. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

export interface ClickHouseServer {
  readonly url: string;
  /** May read the lake's folders and nothing else. */
  readonly platform: Login;
  /** May do everything. */
  readonly operator: Login;
  /** The process that runs now: another one after a crash. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** It takes a second; this is for machines that are busy. */
const START_BUDGET_MS = 60_000;
const PROBE_PAUSE_MS = 20;
const END_MS = 2_000;
/** One that ends sooner than this after its start is started anew only then. */
const LEAST_LIFE_MS = 2_000;

/**
 * Starts ClickHouse with its HTTP interface, on this host alone, in a process that ends with ours. One that crashes is started anew
 * under the same address: whatever it was asked at that time has failed. Throws a `UserError` where it does not start.
 */
export const startClickHouse = async (options: ServerOptions): Promise<ClickHouseServer> => {
  const passwords: Passwords = { platform: password(), operator: password() };
  const config = await writeConfiguration(options.directory, options.lake, passwords);
  let child = await startProcess(options, config, options.port ?? 0);
  const { port } = child;
  let isStopping = false;
  const keep = ({ process, startedAt }: Started): void => {
    process.once("exit", async () => {
      await pause(Math.max(0, startedAt + LEAST_LIFE_MS - performance.now()), undefined, { ref: false });
      if (isStopping) return;
      try {
        child = await startProcess(options, config, port);
        keep(child);
      } catch {
        // It is away, which whoever asks it is told.
      }
    });
  };
  keep(child);
  return {
    url: `http://127.0.0.1:${port}`,
    platform: { user: PLATFORM_USER, password: passwords.platform },
    operator: { user: OPERATOR_USER, password: passwords.operator },
    pid: () => child.process.pid,
    async stop() {
      isStopping = true;
      await end(child.process);
    },
  };
};

const password = (): string => randomBytes(24).toString("base64url");

interface Started {
  readonly process: ChildProcess;
  readonly port: number;
  readonly startedAt: number;
}

const startProcess = async ({ packages, directory }: ServerOptions, config: string, port: number): Promise<Started> => {
  const portFile = join(directory, "port");
  await rm(portFile, { force: true });
  const queries = [
    "SYSTEM START LISTEN HTTP",
    `SELECT getServerPort('http_port') INTO OUTFILE '${portFile.replaceAll(/['\\]/g, "\\$&")}' FORMAT TSV`,
    // A query without end, which keeps the program.
    "SELECT sleepEachRow(3) FROM system.numbers FORMAT Null SETTINGS max_block_size = 1",
  ];
  const words = [`--config-file=${config}`, `--path=${join(directory, "data")}`, "--listen_host=127.0.0.1", `--http_port=${port}`];
  const program = [join(import.meta.dirname, "program.ts"), packages, ...words, `--query=${queries.join(";\n")}`];
  // A process group of its own, so that the terminal's interrupt reaches only us and ClickHouse outlives our last query.
  const child = spawn(process.execPath, program, { stdio: ["pipe", "ignore", "pipe"], detached: true });
  const startedAt = performance.now();
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  while (child.exitCode === null && child.signalCode === null && performance.now() - startedAt < START_BUDGET_MS) {
    const opened = Number(await readFile(portFile, "utf8").catch(() => ""));
    if (opened > 0) {
      child.unref();
      return { process: child, port: opened, startedAt };
    }
    await pause(PROBE_PAUSE_MS);
  }
  await end(child);
  throw new UserError(`ClickHouse did not start: ${said.trim() || "it said nothing"}`);
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = once(child, "exit");
  child.stdin?.end();
  await Promise.race([gone, pause(END_MS, undefined, { ref: false })]);
  child.kill("SIGKILL");
  await gone;
};
