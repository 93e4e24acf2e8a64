import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { readRunning } from "../../../infra/local/stores/lock.ts";

/** A platform in a process of its own, which can be killed as only a process can. */
export interface PlatformProcess {
  readonly baseUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Ends it without a chance to finish anything. */
  kill(): Promise<void>;
  /**
   * Ends it as an interrupt at the terminal would; fails unless it ends well. False where it had to make itself end, as a thread was not
   * gone in time: on a busy machine that is no fault, and everything is stored by then.
   */
  stop(): Promise<boolean>;
  /** What it wrote to the terminal: to standard output, and what went wrong. */
  readonly said: () => { readonly out: string; readonly err: string };
}

const START_BUDGET_MS = 120_000;
const LOOK_AGAIN_MS = 25;

const gone = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return child.exitCode;
};

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** What `npm start` runs. */
const { scripts } = z
  .object({ scripts: z.object({ start: z.string() }) })
  .parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));

/** Runs the line of `npm start` on a directory, empty unless it is to have the demo's data; port 0 takes any free one. */
export const startProcess = async (
  dataDir: string,
  port = 0,
  { demo = false, environment = {} }: { readonly demo?: boolean; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<PlatformProcess> => {
  const flags = ["--port", String(port), "--data-dir", dataDir, ...(demo ? [] : ["--empty"])];
  // The line ends with `exec`: the shell becomes the platform, and its number is the platform's.
  const child = spawn("sh", ["-c", `${scripts.start} "$@"`, "sh", ...flags], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), ...environment },
  });
  const said = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said.out = (said.out + text).slice(-10_000);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said.err = (said.err + text).slice(-10_000);
  });
  const deadline = performance.now() + START_BUDGET_MS;
  for (;;) {
    const running = readRunning(dataDir);
    if (running?.pid === child.pid) {
      return {
        baseUrl: running?.base_url ?? "",
        pid: running?.pid ?? 0,
        port: Number(new URL(running?.base_url ?? "").port),
        said: () => ({ ...said }),
        async kill() {
          child.kill("SIGKILL");
          await gone(child);
        },
        async stop() {
          child.kill("SIGINT");
          const code = await gone(child);
          if (code !== 0 && child.signalCode !== "SIGKILL")
            throw new Error(`the platform ended with ${code ?? child.signalCode}: ${said.err}`);
          return code === 0;
        },
      };
    }
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`the platform did not start: ${said.err}`);
    }
    await pause(LOOK_AGAIN_MS);
  }
};

const Waiting = z.array(z.object({ name: z.string(), approximateMessageCount: z.number(), approximateInflightCount: z.number() }));

/** Messages that the queues of the platform on this directory hold, by queue; those under way included. */
export const waitingMessages = async (dataDir: string): Promise<ReadonlyMap<string, number>> => {
  const answer = await fetch(`${readRunning(dataDir)?.store}/_fauxqs/queues`);
  const queues = Waiting.parse(await answer.json());
  return new Map(queues.map((queue) => [queue.name, queue.approximateMessageCount + queue.approximateInflightCount]));
};
