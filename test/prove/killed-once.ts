import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const PROGRAM = join(import.meta.dirname, "..", "..", "infra", "cli", "main.ts");
const LOOK_AGAIN_MS = 2;

/** How a command ended, and what it wrote. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const start = (words: readonly string[], env: NodeJS.ProcessEnv): { readonly child: ChildProcess; readonly ended: Promise<Ended> } => {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ["ignore", "pipe", "pipe"], env });
  const said = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  return { child, ended: once(child, "close").then(() => ({ code: child.exitCode, ...said })) };
};

/** Runs an operator's command, kills it in the middle of its copying, and runs it again to its end. */
export const killedOnce = async (words: readonly string[], copies: () => number, env = process.env): Promise<Ended> => {
  const { child, ended } = start(words, env);
  const isOver = ended.then(() => true);
  while (copies() < 3 && !(await Promise.race([isOver, pause(LOOK_AGAIN_MS, false)])));
  child.kill("SIGKILL");
  await ended;
  return start([...words, "--json"], env).ended;
};
