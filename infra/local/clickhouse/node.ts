import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { endChild, whenStarted } from "../child-process.ts";

export interface NodeOptions {
  /** The folder of packages that holds the library. */
  readonly packages: string;
  /** For its files. */
  readonly directory: string;
  /** The path of its configuration. */
  readonly config: string;
  /** For HTTP; 0 for any free one. */
  readonly port: number;
  /** For the other nodes of its cluster, where it is in one. */
  readonly clusterPort?: number;
}

/** One process of ClickHouse, which is started anew under the same address whenever it ends. */
export interface ClickHouseNode {
  readonly port: number;
  /** Of the process that runs now. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** It takes a second; this is for machines that are busy. */
const START_BUDGET_MS = 60_000;
const PROBE_PAUSE_MS = 20;
/** One that ends sooner than this after its start is started anew only then. */
const LEAST_LIFE_MS = 2_000;

/** Throws a `UserError` where it does not start. */
export const startNode = async (options: NodeOptions): Promise<ClickHouseNode> => {
  let { process: child, port, startedAt } = await startProcess(options);
  let isStopping = false;
  const startAgain = async (): Promise<void> => {
    await pause(Math.max(0, startedAt + LEAST_LIFE_MS - performance.now()), undefined, { ref: false });
    if (isStopping) return;
    ({ process: child, startedAt } = await startProcess({ ...options, port }));
    if (isStopping) await endChild(child);
    else keep();
  };
  const keep = (): void => {
    // Where it does not start again it is away, which whoever asks it is told.
    child.once("exit", () => startAgain().catch(() => undefined));
  };
  keep();
  return {
    port,
    pid: () => child.pid,
    async stop() {
      isStopping = true;
      await endChild(child);
    },
  };
};

interface Started {
  readonly process: ChildProcess;
  readonly port: number;
  readonly startedAt: number;
}

const startProcess = async ({ packages, directory, config, port, clusterPort }: NodeOptions): Promise<Started> => {
  const portFile = join(directory, "port");
  await rm(portFile, { force: true });
  const queries = [
    ...(clusterPort === undefined ? [] : ["SYSTEM START LISTEN TCP"]),
    "SYSTEM START LISTEN HTTP",
    `SELECT getServerPort('http_port') INTO OUTFILE '${portFile.replaceAll(/['\\]/g, "\\$&")}' FORMAT TSV`,
    // A query without end, which keeps the program.
    "SELECT sleepEachRow(3) FROM system.numbers FORMAT Null SETTINGS max_block_size = 1",
  ];
  const words = [
    `--config-file=${config}`,
    `--path=${join(directory, "data")}`,
    "--listen_host=127.0.0.1",
    `--http_port=${port}`,
    ...(clusterPort === undefined ? [] : [`--tcp_port=${clusterPort}`]),
    `--query=${queries.join(";\n")}`,
  ];
  // A process group of its own, so that the terminal's interrupt reaches only us and ClickHouse outlives our last query.
  const child = spawn(process.execPath, [join(import.meta.dirname, "program.ts"), packages, ...words], {
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  });
  const startedAt = performance.now();
  const opened = await whenStarted(child, {
    name: "ClickHouse",
    look: async () => Number(await readFile(portFile, "utf8").catch(() => "")) || undefined,
    pauseMs: PROBE_PAUSE_MS,
    budgetMs: START_BUDGET_MS,
  });
  return { process: child, port: opened, startedAt };
};
