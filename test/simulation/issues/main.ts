import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FAULTS } from "./faults.ts";
import { simulate } from "./simulate.ts";

/**
 * `npm run issues -- --seeds N [--from SEED]`: merges, splits and takes out issues in random schedules; a single one prints its trace when it fails.
 * `npm run issues -- --faults [--seeds N]`: puts each fault of the list into the product and says in which seed it is seen first.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "2000" },
      from: { type: "string", default: "1" },
      faults: { type: "boolean", default: false },
    },
  });
  const [seeds, from] = [Number(values.seeds), Number(values.from)];
  if (values.faults) return faults(seeds);
  const began = performance.now();
  let [steps, failed, events, commands] = [0, 0, 0, 0];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const run = await simulate(seed, { trace: seeds === 1 });
    steps += run.steps;
    events += run.exceptions;
    commands += run.commands;
    if (run.failure === null) continue;
    failed += 1;
    if (run.trace.length > 0) console.log(run.trace.join("\n"));
    console.log(`seed ${seed}: ${run.failure.stack}\nrepeat it: npm run issues -- --seeds 1 --from ${seed}`);
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(
    `${seeds} seeds from ${from}: ${events} exceptions, ${commands} commands, ${steps} steps, ${failed} failed, ${seconds.toFixed(1)} s`,
  );
  if (failed > 0) process.exitCode = 1;
};

const MOST_SHOWN = 140;

const faults = async (seeds: number): Promise<void> => {
  for (const [place, { name }] of FAULTS.entries()) {
    const child = fork(join(import.meta.dirname, "faulty.ts"), [String(place), String(seeds)]);
    const [seen] = await Promise.race([once(child, "message"), once(child, "exit").then(() => [{ seed: "-", what: "the process ended" }])]);
    console.log(seen === null ? `| ${name} | - | not seen |` : `| ${name} | ${seen.seed} | ${seen.what.slice(0, MOST_SHOWN)} |`);
    if (seen === null) process.exitCode = 1;
  }
};

await main();
