import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { openStripe } from "../support/fakes/stripe-server.ts";
import { runWalks } from "./run-walks.ts";

/** `npm run payments -- --walks N [--from M] [--workers W]`: walks of seeds M to M + N − 1, side by side. */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      walks: { type: "string", default: "1000" },
      from: { type: "string", default: "1" },
      workers: { type: "string", default: String(availableParallelism()) },
    },
  });
  const [walks, from] = [Number(values.walks), Number(values.from)];
  const workers = Math.min(walks, Number(values.workers));
  const began = performance.now();
  const results = await Promise.all(Array.from({ length: workers }, (_, worker) => inOwnProcess(from + worker, walks - worker, workers)));
  const failures = results.flatMap((result) => result.failures);
  for (const failure of failures) console.log(failure);
  const commands = results.reduce((sum, result) => sum + result.commands, 0);
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${walks} walks, ${commands} commands, ${failures.length} failed, ${seconds.toFixed(1)} s`);
  if (failures.length > 0) process.exitCode = 1;
};

type Result = Awaited<ReturnType<typeof runWalks>>;

const inOwnProcess = (from: number, walks: number, stride: number): Promise<Result> =>
  new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, { env: { ...process.env, [PART]: JSON.stringify({ from, walks, stride }) } });
    child.once("message", (result: Result) => resolve(result));
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code !== 0) reject(new Error(`a worker ended with ${code}`));
    });
  });

/** Tells a process that it is a worker, and its share of the walks. */
const PART = "WALKS_PART";
const part = process.env[PART];

if (part === undefined) await main();
else {
  const stripe = await openStripe();
  const result = await runWalks(stripe, JSON.parse(part));
  await stripe.stop();
  process.send?.(result, undefined, undefined, () => process.disconnect());
}
