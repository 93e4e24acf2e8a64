import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { ENOUGH, firstSeen } from "./first-seen.ts";
import { SAFEGUARDS } from "./safeguards.ts";
import { simulate } from "./simulate.ts";

/**
 * `npm run simulate -- --seeds N [--from S] [--workers W]`: runs seeds side by side; a single one prints its trace when it fails.
 * `npm run simulate -- --safeguards`: takes each safeguard away and says in which seed that is seen first.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "300" },
      from: { type: "string", default: "1" },
      workers: { type: "string" },
      safeguards: { type: "boolean", default: false },
    },
  });
  if (values.safeguards) return safeguards();
  const [seeds, from] = [Number(values.seeds), Number(values.from)];
  const workers = Math.min(seeds, Number(values.workers ?? availableParallelism()));
  const began = performance.now();
  const results = workers > 1 ? await sideBySide(from, seeds, workers) : [await runSeeds(from, seeds, 1)];
  const steps = results.reduce((sum, result) => sum + result.steps, 0);
  const failed = results.flatMap((result) => result.failed).sort((a, b) => a - b);
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${seeds} seeds, ${steps} steps, ${failed.length} failed, ${seconds.toFixed(1)} s, ${(seeds / seconds).toFixed(0)} seeds/s`);
  if (failed.length > 0) process.exitCode = 1;
};

const safeguards = async (): Promise<void> => {
  const width = Math.max(...SAFEGUARDS.map(({ length }) => length));
  for (const missing of SAFEGUARDS) {
    const seen = await firstSeen(missing);
    const [what = ""] = (seen?.what ?? `not seen in ${ENOUGH} seeds`).split("\n");
    console.log(`| ${missing.padEnd(width)} | ${String(seen?.seed ?? "-").padStart(5)} | ${what.slice(0, MOST_SHOWN)} |`);
    if (seen === null) process.exitCode = 1;
  }
};

const MOST_SHOWN = 100;

interface Result {
  readonly steps: number;
  readonly failed: readonly number[];
}

const runSeeds = async (from: number, seeds: number, stride: number): Promise<Result> => {
  const failed: number[] = [];
  let steps = 0;
  for (let seed = from; seed < from + seeds; seed += stride) {
    const run = await simulate(seed, { trace: seeds === 1 });
    steps += run.steps;
    if (!run.failure) continue;
    failed.push(seed);
    if (run.trace.length > 0) console.log(run.trace.join("\n"));
    console.log(`seed ${seed}: ${run.failure.stack}\nrepeat it: npm run simulate -- --seeds 1 --from ${seed}`);
  }
  return { steps, failed };
};

const sideBySide = (from: number, seeds: number, workers: number): Promise<readonly Result[]> =>
  Promise.all(Array.from({ length: workers }, (_, worker) => inOwnProcess(from + worker, seeds - worker, workers)));

const inOwnProcess = (from: number, seeds: number, stride: number): Promise<Result> =>
  new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, { env: { ...process.env, [PART]: JSON.stringify({ from, seeds, stride }) } });
    child.once("message", (result: Result) => resolve(result));
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code !== 0) reject(new Error(`a worker ended with ${code}`));
    });
  });

/** Tells a process that it is a worker, and its share of the seeds. */
const PART = "SIMULATION_PART";
const part = process.env[PART];

if (part === undefined) await main();
else {
  const { from, seeds, stride } = JSON.parse(part);
  const result = await runSeeds(from, seeds, stride);
  process.send?.(result, undefined, undefined, () => process.disconnect());
}
